import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as prometheus from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import type { Json } from './json.ts'

export const chartFolder = join(import.meta.dirname, '../../deploy/helm/flow-runtime')

/** An object of Kubernetes, as the chart renders it. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Json
  readonly spec: Json
}

export const helm = async (...args: string[]) => (await promisify(execFile)('helm', args)).stdout

/** What the chart comes to with these values, by its kinds. Rejects with Helm's words where the values are refused. */
export async function render(values: Readonly<Record<string, string>> = {}): Promise<Manifest[]> {
  const given = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  const set = given.length === 0 ? [] : ['--set', given.join()]
  const text = await helm('template', 'flows', chartFolder, ...set)
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

type Model = new (manifest: never) => { validate(): void }

const models: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'monitoring.coreos.com/v1': prometheus,
}

/** Throws with what is wrong unless Kubernetes knows an object of this form. */
export function validate(manifest: Manifest): void {
  const model = models[manifest.apiVersion]?.[manifest.kind] as Model | undefined
  if (!model) throw new Error(`nothing is known of ${manifest.apiVersion} ${manifest.kind}`)
  new model(manifest as never).validate()
}
