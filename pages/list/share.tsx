import { h } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import qrcode from 'qrcode-generator'
import type { ChatMode } from '../embed/options.ts'

const modes: Readonly<Record<ChatMode, string>> = {
  bubble: 'Bubble in the corner of the page',
  popup: 'Popup over the page',
  inline: 'Part of the page',
}

interface ShareProps {
  readonly publicId: string
  readonly title: string
}

/** How people get to a flow: by its address, and on other sites (docs/embed.md). */
export function Share({ publicId, title }: ShareProps) {
  const [mode, setMode] = useState<ChatMode>('bubble')
  const address = `${location.origin}/f/${encodeURIComponent(publicId)}`
  return (
    <div class="share">
      <QrCode text={address} />
      <div class="share-address">
        <Copied label={`Address of ${title}`} text={address} />
        <fieldset>
          <legend>On a web site</legend>
          {(Object.keys(modes) as ChatMode[]).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={`mode-${publicId}`}
                checked={mode === each}
                onChange={() => setMode(each)}
              />
              {modes[each]}
            </label>
          ))}
        </fieldset>
      </div>
      <Copied label={`HTML that embeds ${title}`} text={linesFor(publicId, mode)} />
      <Preview key={mode} publicId={publicId} mode={mode} />
    </div>
  )
}

function linesFor(publicId: string, mode: ChatMode): string {
  const attributes = [
    `src="${location.origin}/embed.js"`,
    `data-flow="${publicId.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
    ...(mode === 'bubble' ? [] : [`data-mode="${mode}"`]),
    ...(mode === 'popup' ? ['data-button="#open-chat"'] : []),
    'async',
  ]
  const line = `<script ${attributes.join(' ')}></script>`
  return mode === 'popup' ? `<button id="open-chat" type="button">Chat with us</button>\n${line}` : line
}

/** The script of the lines is on this page, too. */
function Preview({ publicId, mode }: { readonly publicId: string; readonly mode: ChatMode }) {
  return (
    <section class="preview" aria-label="Preview">
      {mode === 'bubble' && <p>It is in the corner of this page now.</p>}
      {mode === 'popup' && (
        <button id="open-chat" type="button">
          Chat with us
        </button>
      )}
      {h('flow-chat', { 'data-flow': publicId, 'data-mode': mode, 'data-button': '#open-chat' })}
    </section>
  )
}

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [copied, setCopied] = useState<string | undefined>(undefined)
  const copy = async () => {
    field.current?.select()
    // Pages that came without encryption have no clipboard, and a selection is copied all the same.
    if (navigator.clipboard) await navigator.clipboard.writeText(text)
    else document.execCommand('copy')
    setCopied(text)
  }
  return (
    <div class="copied">
      <textarea ref={field} aria-label={label} readOnly rows={text.split('\n').length} value={text} />
      <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        {copied === text ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

function QrCode({ text }: { readonly text: string }) {
  const { size, path } = useMemo(() => drawCode(text), [text])
  return (
    <svg
      class="code"
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      role="img"
      aria-label="QR code of the address"
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}

function drawCode(text: string): { readonly size: number; readonly path: string } {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const cells = Array.from({ length: size * size }, (_, index) => [index % size, Math.floor(index / size)])
  const dark = cells.filter(([x = 0, y = 0]) => code.isDark(y, x))
  return { size, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
}
