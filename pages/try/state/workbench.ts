import { batch, computed, signal } from '@preact/signals'
import type { Problem } from '../../../client/client.ts'
import { createClient, RefusedError } from '../../../client/client.ts'
import { type ChannelName, channels } from '../../../schemas/channel.ts'
import type { ConvertFlowResponse } from '../../../schemas/convert-flow.ts'
import { asRecord, asText, type LooseJson } from '../../../src/tooling/flow-graph/loose-json.ts'
import { read, write } from '../../shared/browser-storage.ts'
import { load } from '../../shared/lazy.tsx'
import { createDraft, type Origin } from './draft.ts'
import { draftIn } from './draft-link.ts'
import type { Selection } from './flow-parts.ts'
import { createMockRules } from './mock-rules.ts'
import type { Moment } from './moments.ts'
import { createTrial, type Trial } from './trial.ts'
import type { Convert } from './yaml-form.ts'

export type Workbench = ReturnType<typeof createWorkbench>

/** Properties of components that show the state of the workbench. */
export interface BenchProps {
  readonly bench: Workbench
}

export type Tab = 'why' | 'variables' | 'calls' | 'logs' | 'findings' | 'timeline' | 'text'

/** The part of the page that a phone shows. */
export type Part = 'chat' | 'graph' | 'drawer'

/** How visitors see the conversation: on a page, or on a messenger. */
export type Layout = 'phone' | 'desktop' | 'widget' | ChannelName

/** The messenger of a layout. */
export const channelOf = (layout: Layout): ChannelName | undefined =>
  channels.find((channel) => channel === layout)

const tokenKey = 'flow-runtime/preview-token'

/** A flow on the bench: its draft, the conversation with it, and what somebody looks at. */
export function createWorkbench() {
  const token = signal(read('sessionStorage', tokenKey))
  const isTokenNeeded = signal(false)
  const client = () => createClient({ address: '', ...(token.value !== undefined && { token: token.value }) })
  const onTokenNeeded = () => {
    isTokenNeeded.value = true
  }

  /** Asks something of the service that the client has no method for; undefined where a token is needed. */
  const ask = async (path: string, body?: unknown): Promise<LooseJson | undefined> => {
    const response = await fetch(path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token.value !== undefined && { authorization: `Bearer ${token.value}` }),
      },
    })
    if (response.status === 401) {
      onTokenNeeded()
      return undefined
    }
    const answer: unknown = await response.json()
    if (!response.ok) throw new RefusedError(response.status, answer as Problem)
    return asRecord(answer)
  }

  const convert: Convert = async (body) => {
    const answer = await ask('/v1/flows/convert', body)
    if (!answer) throw new RefusedError(401)
    return answer as unknown as ConvertFlowResponse
  }

  const draft = createDraft({ client, convert })
  const rules = createMockRules()
  const trial = createTrial({ client, draft, rules, onTokenNeeded })
  const { position } = trial.stepper
  const selected = signal<Selection>(undefined)
  const tab = signal<Tab>('why')
  const part = signal<Part>('chat')
  const layout = signal<Layout>('phone')
  const isOpening = signal(false)
  const problem = signal<string | undefined>(undefined)
  /** What was done, for who asked for it. */
  const told = signal<string | undefined>(undefined)
  const pointer = signal<string | undefined>(undefined)
  const chosenTurn = signal<number | undefined>(undefined)

  /** The turn that is looked at: the last one, unless another was chosen. */
  const turn = computed(() => {
    const last = trial.moments.value.length - 1
    return Math.min(position.value?.turn ?? chosenTurn.value ?? last, last)
  })

  /** The turns up to the one that is looked at, of which only the steps that are done count. */
  const turns = computed((): readonly Moment[] =>
    trial.moments.value
      .slice(0, turn.value + 1)
      .map((moment, at) =>
        at === position.value?.turn && moment.trace
          ? { ...moment, trace: { ...moment.trace, steps: moment.trace.steps.slice(0, position.value.done) } }
          : moment,
      ),
  )

  /** The block that is next in a turn that is stepped through, else the one where the conversation is. */
  const current = computed(() => {
    const { turn: at = 0, done = 0 } = position.value ?? {}
    if (position.value) return trial.moments.value[at]?.trace?.steps[done]?.block
    return turns.value.findLast(({ trace }) => trace?.steps.length)?.trace?.steps.at(-1)?.block
  })

  const select = (selection: Selection) => {
    batch(() => {
      selected.value = selection
      if (selection?.kind === 'block')
        pointer.value = draft.parts.value.blocks.get(selection.blockId)?.pointer
      if (selection?.kind === 'variable') tab.value = 'variables'
      else if (selection && tab.value !== 'text') tab.value = 'why'
    })
  }

  /** Runs something whose failure is shown on top of the page. */
  const attempt = async (act: () => Promise<void> | void): Promise<void> => {
    problem.value = undefined
    try {
      await act()
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }

  /** Goes on in another way, unless something is on its way. */
  const whenFree = (act: () => Promise<void>) =>
    attempt(async () => {
      if (!trial.isFree.value) return
      chosenTurn.value = undefined
      await act()
    })

  const openText = (text: string, origin: Origin) =>
    attempt(async () => {
      await draft.open(text, origin)
      batch(() => {
        isOpening.value = false
        chosenTurn.value = undefined
        selected.value = undefined
        trial.startFrom.value = undefined
        trial.firstValues.value = {}
        trial.locale.value = undefined
      })
      rules.clear()
      document.title = `${draft.title.value} · Try`
      if (origin.kind !== 'link') {
        const query = origin.kind === 'published' ? `?flow=${encodeURIComponent(origin.label)}` : ''
        history.replaceState(null, '', `/try${query}`)
      }
      draft.keep()
      await trial.begin()
    })

  const fetchDefinition = async (publicId: string): Promise<string | undefined> => {
    const answer = await ask(`/published-flows/${encodeURIComponent(publicId)}`)
    return answer && (asText(answer['written']) ?? JSON.stringify(answer['definition'], null, 2))
  }

  const openPublished = (publicId: string) =>
    attempt(async () => {
      const text = await fetchDefinition(publicId)
      if (text !== undefined) await openText(text, { kind: 'published', label: publicId })
    })

  /** Takes each version of a published flow that is saved, and says again what was said: the file counts, not the draft. */
  const follow = async (publicId: string) => {
    const { followFile } = await load(() => import('./follow-file.ts'))
    return followFile({
      read: () => fetchDefinition(publicId),
      publicId,
      isOpen: () => (draft.origin.value?.label ?? publicId) === publicId,
      shown: () => draft.text.value,
      isFree: () => trial.isFree.value,
      onProblem: (text) => {
        problem.value = text
      },
      onSave: (text) =>
        attempt(async () => {
          await draft.open(text, { kind: 'published', label: publicId })
          draft.keep()
          // What is wrong with it is told by the service, and at its lines.
          if (draft.problem.value !== undefined) return
          chosenTurn.value = undefined
          await trial.retry()
        }),
    })
  }

  /** Opens what the address names, or what this tab had open before a reload. */
  const openAddress = () =>
    attempt(async () => {
      const query = new URLSearchParams(location.search)
      const publicId = query.get('flow') ?? undefined
      const linked = await draftIn(location.hash)
      if (linked !== undefined) {
        // The draft is in the tab from here on: a reload keeps what was changed.
        history.replaceState(null, '', '/try')
        return openText(linked, { kind: 'link', label: 'draft' })
      }
      if (publicId !== undefined && query.has('watch')) void follow(publicId)
      const group = query.get('group') ?? undefined
      const values = Object.fromEntries(
        [...query].filter(([name]) => !['flow', 'group', 'watch'].includes(name)),
      )
      const begin = async () => {
        batch(() => {
          trial.startFrom.value = group === undefined ? undefined : { type: 'group', groupId: group }
          trial.firstValues.value = values
        })
      }
      if (await draft.recall(publicId === undefined ? {} : { kind: 'published', label: publicId })) {
        document.title = `${draft.title.value} · Try`
        await begin()
        return trial.goOn()
      }
      if (publicId === undefined) {
        isOpening.value = true
        return undefined
      }
      const text = await fetchDefinition(publicId)
      if (text === undefined) return undefined
      await draft.open(text, { kind: 'published', label: publicId })
      draft.keep()
      document.title = `${draft.title.value} · Try`
      await begin()
      return trial.begin()
    })

  return {
    client,
    draft,
    trial,
    rules,
    selected,
    select,
    tab,
    part,
    layout,
    turn,
    turns,
    chosenTurn,
    current,
    /** The place in the text of the draft that is to be seen. */
    pointer,
    isOpening,
    isTokenNeeded,
    token,
    problem,
    told,
    attempt,
    ask,
    openText,
    convert,
    openPublished,
    openAddress,
    /** Takes a token for as long as this tab lives. */
    useToken(given: string): Promise<void> {
      write('sessionStorage', tokenKey, given)
      batch(() => {
        token.value = given
        isTokenNeeded.value = false
      })
      return draft.text.value === '' ? openAddress() : trial.begin()
    },
    retry: () =>
      attempt(async () => {
        if (draft.text.value === '' || !trial.isFree.value) return
        await draft.settle()
        chosenTurn.value = undefined
        draft.keep()
        await trial.retry()
      }),
    backTo: (turn: number) => whenFree(() => trial.retry(turn)),
    /** Begins anew at a place of the flow, or with undefined at its start. */
    startAt: (place: Trial['startFrom']['value']) =>
      whenFree(() => {
        trial.startFrom.value = place
        return trial.begin()
      }),
    /** Says again what was said, in another language of the flow. */
    speak: (locale: string | undefined) =>
      whenFree(() => {
        trial.locale.value = locale
        return trial.retry()
      }),
    /** Gives a variable a value behind the turn that is looked at. */
    setHere: (name: string, value: unknown) => {
      const at = turn.value
      return whenFree(() => trial.setAfter(at, { [name]: value }))
    },
    /** Gives a variable a value before the start, and says again what was said. */
    setFirst: (name: string, value: unknown) =>
      whenFree(() => {
        trial.firstValues.value = { ...trial.firstValues.value, [name]: value }
        return trial.retry()
      }),
  }
}
