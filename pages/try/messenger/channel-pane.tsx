import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { UserMessage } from '../../../client/client.ts'
import type { ChannelName } from '../../../schemas/channel.ts'
import { asText } from '../../../src/tooling/flow-graph/loose-json.ts'
import { Picture } from '../../shared/chat/picture.tsx'
import { safeLink } from '../../shared/chat/safe-address.ts'
import type { Moment } from '../state/moments.ts'
import type { BenchProps, Workbench } from '../state/workbench.ts'
import { type MessengerRequest, readRequest, type ShownButton, type ShownMessage } from './read-request.ts'
import { StyledWords } from './styled-words.tsx'

interface Rendered {
  readonly messages: readonly {
    readonly request?: MessengerRequest
    readonly notes: readonly { readonly code: string; readonly text: string }[]
  }[]
  readonly reply?: UserMessage | null
  readonly isStale?: boolean
}

type Said = { readonly press: string } | { readonly text: string }

/** The page of a flow that is published, or is to be. */
function pageOf({ draft: { origin, definition } }: Workbench): string | undefined {
  const { kind, label } = origin.value ?? {}
  const publicId = kind === 'published' ? label : asText(definition.value?.['publicId'])
  return publicId && `${location.origin}/f/${encodeURIComponent(publicId)}`
}

interface ChannelProps extends BenchProps {
  readonly channel: ChannelName
}

/** The conversation as a messenger shows it: what the service would send, and the buttons that come back. */
export function ChannelPane({ bench, channel }: ChannelProps) {
  const { moments, model, isFree } = bench.trial
  const turns = useSignal<readonly { readonly moment: Moment; readonly rendered: Rendered }[]>([])
  const note = useSignal<string | undefined>(undefined)
  const render = async (turn: number, said?: Said) => {
    const { answer } = moments.value[turn] ?? {}
    const page = pageOf(bench)
    const settings = model.settings.value
    const asked = { channel, ...answer, settings, turn, ...(page && { page }), ...(said && { said }) }
    const rendered = (await bench.ask('/v1/flows/render', asked)) as Rendered | undefined
    return rendered ?? { messages: [] }
  }
  useEffect(() => {
    let isCurrent = true
    const known = new Map(turns.value.map(({ moment, rendered }) => [moment, rendered]))
    void bench.attempt(async () => {
      const all = await Promise.all(
        moments.value.map(async (moment, turn) => ({
          moment,
          rendered: known.get(moment) ?? (await render(turn)),
        })),
      )
      if (isCurrent) turns.value = all
    })
    return () => {
      isCurrent = false
    }
  }, [channel, moments.value])
  const say = (said: Said, shown: string) =>
    bench.attempt(async () => {
      if (!isFree.value) return
      const { reply, isStale } = await render(moments.value.length - 1, said)
      note.value = isStale ? 'This button is of an earlier turn.' : undefined
      if (!isStale) await model.reply({ message: reply ?? undefined, shown })
    })
  return (
    <div class={`channel on-${channel}`}>
      <div class="channel-log" role="log" aria-label={`On ${channel}`}>
        {turns.value.map(({ moment: { said }, rendered }, turn) => (
          <div key={turn}>
            {said?.shown && <p class="channel-said">{said.shown}</p>}
            {rendered.messages.map(({ request, notes }, index) => (
              <div key={index} class="channel-message">
                {request && (
                  <Message
                    shown={readRequest(channel, request)}
                    onPress={(button) => void say({ press: button.id }, button.title)}
                  />
                )}
                {notes.map(({ code, text }) => (
                  <p key={text} class={`channel-note is-${code}`}>
                    {text}
                  </p>
                ))}
              </div>
            ))}
          </div>
        ))}
        {note.value !== undefined && <p class="note">{note.value}</p>}
      </div>
      <form
        class="channel-words"
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.elements.namedItem('words') as HTMLInputElement
          const text = field.value
          if (text === '') return
          field.value = ''
          void say({ text }, text)
        }}
      >
        <input class="field" name="words" aria-label="Message" autocomplete="off" />
        <button type="submit" disabled={!isFree.value}>
          Send
        </button>
      </form>
    </div>
  )
}

interface MessageProps {
  readonly shown: ShownMessage
  readonly onPress: (button: ShownButton) => void
}

function Message({ shown, onPress }: MessageProps) {
  const { media, text, entities, rows, list } = shown
  return (
    <>
      {media && <Medium {...media} />}
      {text !== '' && (
        <div class="channel-text">
          <StyledWords text={text} entities={entities} />
        </div>
      )}
      {rows.length > 0 && (
        <fieldset class="channel-buttons" aria-label={list ?? 'Buttons'}>
          {list !== undefined && <p class="channel-list">{list}</p>}
          {rows.map((row, index) => (
            <div key={index}>
              {row.map((button) => (
                <button key={button.id} type="button" dir="auto" onClick={() => onPress(button)}>
                  {button.title}
                  {button.description && <small>{button.description}</small>}
                </button>
              ))}
            </div>
          ))}
        </fieldset>
      )}
    </>
  )
}

function Medium({ type, url }: { readonly type: string; readonly url: string }) {
  if (type === 'image' || type === 'photo' || type === 'animation') return <Picture src={url} alt={url} />
  return (
    <a href={safeLink(url) ?? ''} target="_blank" rel="noopener noreferrer">
      {type}: {url}
    </a>
  )
}
