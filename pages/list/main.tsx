import { signal } from '@preact/signals'
import { render } from 'preact'
import type { FlowState, FlowStates } from '../../client/client.ts'
import { assign } from '../shared/assign.ts'
import { lazy } from '../shared/lazy.tsx'
import '../shared/page.css'
import './list.css'

const Share = lazy(async () => (await import('./share.tsx')).Share)

const flows = signal<readonly FlowState[] | undefined>(undefined)
const problem = signal<string | undefined>(undefined)
/** The flow that is shown to be shared. */
const shared = signal<string | undefined>(undefined)

async function load(): Promise<void> {
  const response = await fetch('/published-flows')
  if (!response.ok) throw new Error(`The service answered ${response.status}`)
  flows.value = ((await response.json()) as FlowStates).flows
}

function FlowList() {
  return (
    <>
      <h1>Flows</h1>
      <p class="intro">What this service has to talk about.</p>
      <p role="alert">{problem.value}</p>
      {flows.value?.length === 0 && <p>No flow is published yet. Put one into the folder of the flows.</p>}
      <ul class="flows">
        {flows.value?.map((flow) => (
          <FlowRow key={flow.publicId ?? flow.file} flow={flow} />
        ))}
      </ul>
      <footer>
        <a href="/try">Try a file</a> of your own. See how many came and what they said in the{' '}
        <a href="/results">results</a>. Programs talk to flows by the <a href="/docs">API</a>.
      </footer>
    </>
  )
}

function FlowRow({ flow }: { readonly flow: FlowState }) {
  const { name, publicId, file, version, publishedAt, state } = flow
  const title = name ?? publicId ?? file ?? 'A flow'
  const isOpen = publicId !== undefined && state !== 'broken' && !flow.isClosed && !flow.isArchived
  const facts = [
    publicId,
    version === undefined ? undefined : `version ${version}`,
    publishedAt && `published ${publishedAt.slice(0, 10)}`,
    describeState(flow),
  ]
  return (
    <li class="flow">
      <h2>{title}</h2>
      <span class="facts">{facts.filter(Boolean).join(' · ')}</span>
      {publicId !== undefined && state !== 'broken' && (
        <span class="ways">
          <a
            class="try"
            href={`/results?flow=${encodeURIComponent(publicId)}`}
            aria-label={`Results: ${title}`}
          >
            Results
          </a>
          {isOpen && <OpenWays publicId={publicId} title={title} />}
        </span>
      )}
      {isOpen && shared.value === publicId && <Share publicId={publicId} title={title} />}
      <Findings flow={flow} />
    </li>
  )
}

interface OpenWaysProps {
  readonly publicId: string
  readonly title: string
}

/** Ways to a flow that visitors can start. */
function OpenWays({ publicId, title }: OpenWaysProps) {
  return (
    <>
      <button
        type="button"
        class="try"
        aria-label={`Share: ${title}`}
        aria-expanded={shared.value === publicId}
        onClick={assign(shared, shared.value === publicId ? undefined : publicId)}
      >
        Share
      </button>
      <a class="try" href={`/try?flow=${encodeURIComponent(publicId)}`} aria-label={`Try: ${title}`}>
        Try
      </a>
      <a class="talk" href={`/f/${encodeURIComponent(publicId)}`} aria-label={`Talk: ${title}`}>
        Talk
      </a>
    </>
  )
}

function describeState({ state, isClosed, isArchived }: FlowState): string | undefined {
  if (state === 'broken') return 'broken: not published'
  if (state === 'stale') return 'broken: its last good version is published'
  if (isArchived) return 'archived'
  return isClosed ? 'closed' : undefined
}

function Findings({ flow: { problems, findings } }: { readonly flow: FlowState }) {
  const lines = [
    ...problems.map(({ pointer, message }) => `${pointer || 'The file'}: ${message}`),
    ...findings.map(({ severity, hint, pointer }) => `${severity}: ${hint} (${pointer})`),
  ]
  if (lines.length === 0) return null
  return (
    <details>
      <summary>{lines.length === 1 ? '1 finding' : `${lines.length} findings`}</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}

const page = document.getElementById('page')
if (page) render(<FlowList />, page)
load().catch((error: unknown) => {
  problem.value = `The list can not be read: ${error instanceof Error ? error.message : error}`
})
