import { createRequire } from 'node:module'
import type PromClient from 'prom-client'

const require = createRequire(import.meta.url)

export type Registry = PromClient.Registry

// The package's own entry loads the metrics of processes and clusters besides, with a hundred modules of OpenTelemetry.
export const Counter = require('prom-client/lib/counter.js') as typeof PromClient.Counter
export const Gauge = require('prom-client/lib/gauge.js') as typeof PromClient.Gauge
export const Histogram = require('prom-client/lib/histogram.js') as typeof PromClient.Histogram

export function createRegistry(): Registry {
  const Registry = require('prom-client/lib/registry.js') as typeof PromClient.Registry
  return new Registry()
}

interface ProcessMetricOptions {
  readonly eventLoopMonitoringPrecision: number
}

type Register = (registry: Registry, options: ProcessMetricOptions) => void

/** Metrics that observe from their creation; all others are collected on request. */
const observers = ['eventLoopLag', 'gc']

const registerMetric = (name: string) => require(`prom-client/lib/metrics/${name}.js`) as Register

/** Registers the standard metrics of the process: some now, and those that take long to load when the result is called. */
export function registerProcessMetrics(registry: Registry, options: ProcessMetricOptions): () => void {
  for (const name of observers) registerMetric(name)(registry, options)
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    const { collectDefaultMetrics } = require('prom-client') as typeof PromClient
    for (const name of collectDefaultMetrics.metricsList) {
      if (!observers.includes(name)) registerMetric(name)(registry, options)
    }
  }
}
