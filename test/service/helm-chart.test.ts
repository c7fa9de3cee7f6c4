import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { listSettings } from '../../src/config/environment-schema.ts'
import { notKept, startBuiltService } from '../support/built-service.ts'
import { chartFolder, helm, type Manifest, render, validate } from '../support/helm-chart.ts'
import { installedTool } from '../support/installed-tool.ts'
import type { Json } from '../support/json.ts'

const root = join(import.meta.dirname, '../..')

const several = { replicaCount: '2', 'database.enabled': 'true', existingSecret: 'flows' }

/** Everything that can be switched on at once. */
const all = {
  ...several,
  'autoscaling.enabled': 'true',
  'ingress.enabled': 'true',
  'ingress.className': 'nginx',
  'ingress.tls[0].secretName': 'certificate',
  'metrics.serviceMonitor.enabled': 'true',
  'metrics.prometheusRule.enabled': 'true',
  'uploads.existingClaim': 'uploads',
  'flows.existingConfigMap': 'flows',
  'env.PUBLIC_URL': 'https://chat.example',
  'env.TRUST_PROXY': '1',
  'imagePullSecrets[0].name': 'registry',
  'nodeSelector.disk': 'ssd',
  'podAnnotations.note': 'kept',
}

const alone = { 'data.existingClaim': 'data' }

const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.find((manifest) => manifest.kind === kind) as Manifest

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly image: string
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: Json
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

function podOf(manifests: readonly Manifest[]) {
  const { template } = ofKind(manifests, 'Deployment').spec as { template: { spec: Json } }
  const { containers, ...pod } = template.spec as { containers: readonly Container[] } & Json
  return { pod, container: containers[0] as Container & Record<string, unknown> }
}

for (const _ of installedTool('helm', 'the chart of deploy/helm')) {
  it.each([
    ['as it comes', {}],
    ['of several pods', several],
    ['of one pod with a folder', alone],
    ['with everything', all],
  ])('a release %s is of objects that Kubernetes knows', async (_name, values) => {
    const manifests = await render(values)
    for (const manifest of manifests) validate(manifest)
    const kinds = manifests.map(({ kind }) => kind).sort()
    const always = ['Deployment', 'Pod', 'PodDisruptionBudget', 'Service', 'ServiceAccount']
    const more = ['HorizontalPodAutoscaler', 'Ingress', 'PrometheusRule', 'ServiceMonitor']
    expect(kinds).toEqual(values === all ? [...always, ...more].sort() : always)
  })

  it('what Kubernetes would refuse is found', async () => {
    const deployment = ofKind(await render(), 'Deployment')
    expect(() => validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } })).toThrow(
      /replicas/,
    )
    const { selector: _, ...unselected } = deployment.spec
    expect(() => validate({ ...deployment, spec: unselected })).toThrow(/selector/)
  })

  it('the chart passes the linter of Helm, and is of the version of the service', async () => {
    await helm('lint', '--strict', chartFolder)
    const { appVersion } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(appVersion).toBe(version)
    expect(podOf(await render()).container.image).toBe(`flow-runtime:${version}`)
  })

  it.each([
    ['pods that share nothing', { replicaCount: '2' }, '/database/enabled'],
    [
      'pods that come by themselves and share nothing',
      { 'autoscaling.enabled': 'true' },
      '/database/enabled',
    ],
    ['a database whose address is nowhere', { 'database.enabled': 'true' }, '/existingSecret'],
    ['a folder beside a database', { ...several, ...alone }, '/data/existingClaim'],
    ['a secret in plain sight', { 'env.ADMIN_TOKEN': 'x' }, 'ADMIN_TOKEN'],
    ['a value of no meaning', { replicas: '2' }, "'replicas' not allowed"],
    ['a scrape without a token', { 'metrics.serviceMonitor.enabled': 'true' }, '/existingSecret'],
  ])('refuses %s, and says where', async (_name, values, place) => {
    await expect(render(values)).rejects.toThrow(place)
  })

  it('the pod sets variables that the service reads, and no more rights than it needs', async () => {
    const { pod, container } = podOf(await render(all))
    const known = listSettings().map(({ name }) => name)
    expect(container.env.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/ready', port: 'http' } },
      readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health', port: 'http' } },
    })
    const drain = Number(container.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value)
    expect(Number(pod['terminationGracePeriodSeconds'])).toBeGreaterThanOrEqual(drain + 20)
  })

  it('the load decides on the number of pods', async () => {
    const { spec } = ofKind(await render(all), 'HorizontalPodAutoscaler')
    expect(spec).toMatchObject({
      minReplicas: 2,
      metrics: [
        {
          pods: {
            metric: { name: 'flow_runtime_load' },
            target: { type: 'AverageValue', averageValue: '700m' },
          },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 900 } },
    })
    expect(ofKind(await render(all), 'Deployment').spec).not.toHaveProperty('replicas')
  })

  it('the alarms of the release are those of the rules', async () => {
    const { spec } = ofKind(await render(all), 'PrometheusRule')
    expect(spec).toEqual(parse(readFileSync(join(root, 'deploy/prometheus/rules.yml'), 'utf8')))
  })

  for (const unshare of installedTool('unshare', 'the service with the rights of the pod')) {
    it('the service serves with the rights and the variables of the pod', async () => {
      const { container } = podOf(await render(alone))
      const folder = mkdtempSync(join(tmpdir(), 'pod-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      chmodSync(folder, 0o777)
      // A config map is mounted as links into a folder that is exchanged as a whole.
      mkdirSync(join(folder, 'flows/..2026'), { recursive: true })
      copyFileSync(join(root, 'flows/lead-form.json'), join(folder, 'flows/..2026/lead-form.json'))
      symlinkSync('..2026', join(folder, 'flows/..data'))
      symlinkSync('..data/lead-form.json', join(folder, 'flows/lead-form.json'))
      mkdirSync(join(folder, 'data'))
      execFileSync('chown', ['1000:1000', join(folder, 'data')])
      const variables = Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value]))
      const confined = [
        'mount --make-rprivate /',
        `mount --bind ${folder}/data ${folder}/data`,
        'mount -o remount,bind,ro /',
        '! touch /written 2>/dev/null',
        'exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$0" "$@"',
      ].join(' && ')
      const service = await startBuiltService(
        {
          ...variables,
          PORT: '0',
          HOST: '127.0.0.1',
          DRAIN_SECONDS: '0',
          DATA_DIR: join(folder, 'data'),
          FLOWS_DIR: join(folder, 'flows'),
        },
        { command: [unshare, '--mount', '/bin/sh', '-c', confined] },
      )
      onTestFinished(() => void service.child.kill('SIGKILL'))
      const ask = async (path: string, init?: RequestInit) =>
        (await fetch(service.address + path, { ...init, headers: notKept })).status
      expect(await ask('/ready')).toBe(200)
      expect(await ask('/v1/flows/lead-form/startChat', { method: 'POST' })).toBe(200)
      expect(await service.stop()).toBe(0)
    })
  }
}
