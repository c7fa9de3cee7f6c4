import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deployFolder, rulesFile } from '../support/alarm-rules.ts'
import { notKept, startBuiltService } from '../support/built-service.ts'
import { freePort } from '../support/free-port.ts'
import { installedTool } from '../support/installed-tool.ts'

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}

const dashboardText = readFileSync(join(deployFolder, 'grafana/flow-runtime.json'), 'utf8')
const panels = JSON.parse(dashboardText).panels as readonly Panel[]
const rulesText = readFileSync(rulesFile, 'utf8')
const token = 'm3trics'

async function startService() {
  const data = mkdtempSync(join(tmpdir(), 'dashboard-data-'))
  const service = await startBuiltService({ METRICS_TOKEN: token, DATA_DIR: data })
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    rmSync(data, { recursive: true })
  })
  const answer = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...notKept }
    const response = await fetch(service.address + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as { readonly sessionId: string }
  }
  const talk = async () => {
    const { sessionId } = await answer('/v1/flows/lead-form/startChat', {})
    await answer(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
  }
  return { service, talk }
}

/** Prometheus itself, with the example of a scrape and the rules; looks at the service each second. */
async function startPrometheus(prometheus: string, serviceAddress: string) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const port = await freePort()
  const example = readFileSync(join(deployFolder, 'prometheus/prometheus.yml'), 'utf8')
  const config = example.replaceAll('15s', '1s').replace('127.0.0.1:3000', new URL(serviceAddress).host)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(join(folder, 'rules.yml'), rulesText)
  writeFileSync(join(folder, 'metrics-token'), token)
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  const child = spawn(prometheus, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  })
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined)
    return response && ((await response.json()) as Answer)
  }
  return { ask, query: async (expr: string) => await ask(`query?query=${encodeURIComponent(expr)}`) }
}

interface Answer {
  readonly status: string
  readonly data: {
    readonly result: readonly { readonly value: readonly [number, string] }[]
    readonly groups: readonly {
      readonly rules: readonly { readonly name: string; readonly health: string }[]
    }[]
    readonly alerts: readonly { readonly labels: { readonly alertname: string } }[]
  }
}

const namesIn = (text: string) => new Set(text.match(/\b(?:flow_runtime|process|nodejs)_\w+/g))

it('every metric that the dashboard and the alarms name is there from the beginning', async () => {
  const { service } = await startService()
  const headers = { authorization: `Bearer ${token}`, ...notKept }
  const scraped = await (await fetch(`${service.address}/metrics`, { headers })).text()
  const later = await (await fetch(`${service.address}/metrics`, { headers })).text()
  const there = new Set([...`${scraped}\n${later}`.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name))
  const named = [...namesIn(dashboardText), ...namesIn(rulesText)].filter(
    (name) => name !== 'flow_runtime_load_',
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !there.has(name))).toEqual([])
})

it('the panels of the dashboard have ids of their own and cover no other', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)},${y + Math.floor(nth / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

for (const prometheus of installedTool('prometheus', 'the dashboard and the alarms in Prometheus')) {
  it('Prometheus scrapes the service by the example, and has an answer to every panel', async () => {
    const { service, talk } = await startService()
    const { ask, query } = await startPrometheus(prometheus, service.address)
    await expect.poll(async () => (await query('up{job="flow-runtime"}'))?.data.result[0]?.value[1]).toBe('1')
    const exprs = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    expect(exprs.length).toBeGreaterThan(20)
    const unanswered = async () => {
      await talk()
      const answers = await Promise.all(
        exprs.map(async ({ title, expr }) => {
          const filled = expr.replaceAll('$job', 'flow-runtime').replaceAll('$__rate_interval', '30s')
          return { title, answer: await query(filled) }
        }),
      )
      expect(answers.map(({ answer }) => answer?.status)).toEqual(exprs.map(() => 'success'))
      return answers.filter(({ answer }) => answer?.data.result.length === 0).map(({ title }) => title)
    }
    await expect.poll(unanswered, { interval: 1_000 }).toEqual([])
    const rules = (await ask('rules'))?.data.groups.flatMap((group) => group.rules) ?? []
    expect(rules.map(({ health }) => health)).toEqual(rules.map(() => 'ok'))
    expect(rules.length).toBeGreaterThan(10)
    expect((await ask('alerts'))?.data.alerts).toEqual([])
    service.child.kill('SIGKILL')
    await expect
      .poll(async () => (await ask('alerts'))?.data.alerts.map(({ labels }) => labels.alertname))
      .toEqual(['FlowRuntimeDown'])
  })
}
