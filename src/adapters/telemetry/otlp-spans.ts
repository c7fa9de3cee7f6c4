import type { Context, Span, SpanContext, TimeInput, Tracer } from '@opentelemetry/api'
import type { OpenSpan, SpanAttributes, SpanFacts, Spans } from '../../ports/spans-port.ts'
import { type CountSpans, SpanQueue } from './span-queue.ts'

interface OtlpOptions {
  /** Address of the collector, without `/v1/traces`. */
  readonly endpoint: string
  /** Spans that wait to be sent. */
  readonly maxSpans: number
  readonly capturesMessages: boolean
  readonly propagatesTo: ReadonlySet<string>
  readonly count: CountSpans
}

/** Spans with an exporter that is closed at the end. */
export interface OtlpSpans extends Spans {
  close(): Promise<void>
}

type Api = typeof import('@opentelemetry/api')

/**
 * Loads the packages of OpenTelemetry, and sends spans to a collector. What its other variables say counts: headers,
 * compression, certificates, the name and the attributes of the service, the sampler.
 */
export async function openOtlpSpans({
  endpoint,
  maxSpans,
  capturesMessages,
  propagatesTo,
  count,
}: OtlpOptions): Promise<OtlpSpans> {
  const [api, { BasicTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'flow-runtime' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new SpanQueue(exporter, { max: maxSpans, count })],
  })
  const tracer = provider.getTracer('flow-runtime')
  const begin = (facts: SpanFacts, parent: Context) => open(facts, parent, { api, tracer })
  return {
    begin: (facts, traceparent) => begin(facts, contextOf(traceparent, api)),
    capturesMessages,
    propagatesTo,
    close: () => provider.shutdown(),
  }
}

interface Tools {
  readonly api: Api
  readonly tracer: Tracer
}

function open({ name, kind, attributes }: SpanFacts, parent: Context, tools: Tools): OpenSpan {
  const { api, tracer } = tools
  const startTime = now()
  const { SERVER: server, CLIENT: client, INTERNAL: internal } = api.SpanKind
  const kinds = { server, client, internal }
  const span: Span = tracer.startSpan(name, { kind: kinds[kind], attributes, startTime }, parent)
  return {
    traceparent: traceparentOf(span.spanContext()),
    child: (facts) => open(facts, api.trace.setSpan(parent, span), tools),
    event: (event, more) => void span.addEvent(event, more, startTime),
    end(more: SpanAttributes, at?: number) {
      span.setAttributes(more)
      if ('error.type' in more) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end(now(at))
    },
  }
}

/** The header of the W3C's Trace Context. */
const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** The wall clock, which does not jump while a turn runs. */
const now = (at = performance.now()): TimeInput => performance.timeOrigin + at

/** The span of a caller, by the W3C's `traceparent`; an invalid one is ignored. */
function contextOf(traceparent: string | undefined, { trace, ROOT_CONTEXT }: Api): Context {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const caller: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, caller)
}
