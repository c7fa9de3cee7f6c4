import { describe, expect, it } from 'vitest'
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts'

async function linesOf(
  name: string,
  count: (metrics: ReturnType<typeof createPrometheus>['metrics']) => void,
) {
  const { metrics, text } = createPrometheus()
  count(metrics)
  return (await text()).split('\n').filter((line) => line.includes(`flow_runtime_${name}`))
}

describe('the metrics', () => {
  it('count answers by route, method and status', async () => {
    const lines = await linesOf('requests_total', ({ requestAnswered }) => {
      requestAnswered({ route: '/v1/a/:id', method: 'GET', status: 200, ms: 1 })
      requestAnswered({ route: '/v1/a/:id', method: 'GET', status: 200, ms: 1 })
      requestAnswered({ route: '/v1/a/:id', method: 'GET', status: 404, ms: 1 })
      requestAnswered({ route: '/v1/a/:id', method: 'PUT', status: 200, ms: 1 })
    })
    expect(lines).toEqual([
      '# HELP flow_runtime_requests_total Requests that were answered',
      '# TYPE flow_runtime_requests_total counter',
      'flow_runtime_requests_total{route="/v1/a/:id",method="GET",status="200"} 2',
      'flow_runtime_requests_total{route="/v1/a/:id",method="GET",status="404"} 1',
      'flow_runtime_requests_total{route="/v1/a/:id",method="PUT",status="200"} 1',
    ])
  })

  it('count times up to each bound, the bound included', async () => {
    const lines = await linesOf('request_seconds', ({ requestAnswered }) => {
      const answered = { route: '/v1/a', method: 'GET', status: 200 }
      for (const ms of [0.4, 25, 25.5, 70_000]) requestAnswered({ ...answered, ms })
    })
    const counts = Object.fromEntries(lines.map((line) => line.split(/(?<=}) /)).slice(2))
    expect(counts).toMatchObject({
      'flow_runtime_request_seconds_bucket{le="0.0005",route="/v1/a"}': '1',
      'flow_runtime_request_seconds_bucket{le="0.01",route="/v1/a"}': '1',
      'flow_runtime_request_seconds_bucket{le="0.025",route="/v1/a"}': '2',
      'flow_runtime_request_seconds_bucket{le="0.05",route="/v1/a"}': '3',
      'flow_runtime_request_seconds_bucket{le="60",route="/v1/a"}': '3',
      'flow_runtime_request_seconds_bucket{le="+Inf",route="/v1/a"}': '4',
      'flow_runtime_request_seconds_count{route="/v1/a"}': '4',
    })
    expect(Number(counts['flow_runtime_request_seconds_sum{route="/v1/a"}'])).toBeCloseTo(70.0509)
  })

  it('have the series of turns from the beginning', async () => {
    const lines = await linesOf('turns_total{', () => undefined)
    expect(lines).toEqual(
      ['live', 'preview'].flatMap((kind) =>
        ['start', 'continue', 'timer', 'operator'].map(
          (entry) => `flow_runtime_turns_total{kind="${kind}",entry="${entry}"} 0`,
        ),
      ),
    )
    expect(await linesOf('turn_blocks_', () => undefined)).toHaveLength(13)
  })

  it('end each metric with an empty line, and the text with a line end', async () => {
    const { metrics, text } = createPrometheus()
    metrics.turnDone({ kind: 'live', entry: 'start', blocks: 3, engineMs: 0.2 })
    const written = await text()
    expect(written.match(/^(?!# HELP).*\n# HELP/gm)?.filter((end) => !end.startsWith('\n'))).toEqual([])
    expect(written).toMatch(/[^\n]\n$/)
    expect(written).toContain('flow_runtime_turn_engine_seconds_bucket{le="0.00025"} 1\n')
  })
})
