import { describe, expect, it } from 'vitest'
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts'
import { countOf, seriesIn } from '../support/metrics-text.ts'

async function linesOf(
  name: string,
  count: (metrics: ReturnType<typeof createPrometheus>['metrics']) => void,
) {
  const { metrics, text } = createPrometheus()
  count(metrics)
  return (await text()).split('\n').filter((line) => line.includes(`flow_runtime_${name}`))
}

const turnOf = (flow: string) =>
  ({ kind: 'live', flow, entry: 'start', blocks: 3, isCompleted: false, engineMs: 0 }) as const

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

  it('count starts, completions and errors of live conversations by flow', async () => {
    const lines = await linesOf('flow_', ({ turnDone, errorsLeft }) => {
      turnDone(turnOf('shop'))
      turnDone({ ...turnOf('shop'), entry: 'continue', isCompleted: true })
      turnDone({ ...turnOf(''), kind: 'preview', flow: undefined })
      errorsLeft('shop', 3)
      errorsLeft(undefined, 2)
    })
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
      'flow_runtime_flow_starts_total{flow="shop"} 1',
      'flow_runtime_flow_starts_total{flow="other"} 0',
      'flow_runtime_flow_completions_total{flow="shop"} 1',
      'flow_runtime_flow_completions_total{flow="other"} 0',
      'flow_runtime_flow_errors_total{flow="shop"} 1',
      'flow_runtime_flow_errors_total{flow="other"} 0',
    ])
  })

  it('count error logs of live conversations and of previews', async () => {
    const lines = await linesOf('error_logs_total{', ({ errorsLeft }) => {
      errorsLeft('shop', 3)
      errorsLeft(undefined, 2)
    })
    expect(lines).toEqual([
      'flow_runtime_error_logs_total{kind="live"} 3',
      'flow_runtime_error_logs_total{kind="preview"} 2',
    ])
  })

  it('name the 200 flows with the most traffic, and lose no start in changing places', async () => {
    const { metrics, text } = createPrometheus()
    const start = (flow: string, times: number) => {
      for (let nth = 0; nth < times; nth++) metrics.turnDone(turnOf(flow))
    }
    for (let nth = 0; nth < 200; nth++) start(`early-${nth}`, nth === 7 ? 3 : 10)
    start('late', 3)
    expect(countOf(await text(), 'flow_runtime_flow_starts_total{flow="late"}')).toBeUndefined()
    expect(countOf(await text(), 'flow_runtime_flow_starts_total{flow="other"}')).toBe(3)
    start('late', 5)
    const later = await text()
    expect(countOf(later, 'flow_runtime_flow_starts_total{flow="late"}')).toBe(5)
    expect(countOf(later, 'flow_runtime_flow_starts_total{flow="other"}')).toBe(3)
    expect(countOf(later, 'flow_runtime_flow_starts_total{flow="early-7"}')).toBeUndefined()
    const named = seriesIn(later).filter((series) => series.startsWith('flow_runtime_flow_starts_total'))
    expect(named).toHaveLength(201)
  })

  it('show what a store last held while it can not be asked', async () => {
    const { watch, text } = createPrometheus()
    const held = [{ entries: 3, bytes: 30, evicted: 1 }]
    const usage = () => {
      const [found] = held
      return found ? Promise.resolve(found) : Promise.reject(new Error('away'))
    }
    watch('sessions', usage)
    watch('results', () => Promise.reject(new Error('away from the beginning')))
    await text()
    held.pop()
    const later = await text()
    expect(countOf(later, 'flow_runtime_store_entries{store="sessions"}')).toBe(3)
    expect(countOf(later, 'flow_runtime_store_evictions_total{store="sessions"}')).toBe(1)
    expect(countOf(later, 'flow_runtime_store_entries{store="results"}')).toBeUndefined()
  })

  it('end each metric with an empty line, and the text with a line end', async () => {
    const { metrics, text } = createPrometheus()
    metrics.turnDone({ ...turnOf('shop'), engineMs: 0.2 })
    const written = await text()
    expect(written.match(/^(?!# HELP).*\n# HELP/gm)?.filter((end) => !end.startsWith('\n'))).toEqual([])
    expect(written).toMatch(/[^\n]\n$/)
    expect(written).toContain('flow_runtime_turn_engine_seconds_bucket{le="0.00025"} 1\n')
  })
})
