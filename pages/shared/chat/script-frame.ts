import type { FrameAnswer, FrameRequest } from './script-frame-messages.ts'

/** A script that has not come to its end by then is taken for one that never does. */
const limitMs = 30_000

/**
 * Does something in a frame whose document is sandboxed by its own policy: what a flow brings along reaches neither this
 * page nor its storage. Each request has a frame of its own, so that nothing of one is left for the next.
 */
export async function runInFrame(request: FrameRequest): Promise<FrameAnswer> {
  const frame = document.createElement('iframe')
  frame.src = '/script-frame'
  frame.hidden = true
  frame.title = 'Script of this conversation'
  frame.setAttribute('sandbox', 'allow-scripts')
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  document.body.append(frame)
  try {
    await loaded
    return await ask(frame, request)
  } finally {
    frame.remove()
  }
}

function ask(frame: HTMLIFrameElement, request: FrameRequest): Promise<FrameAnswer> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, text: 'The script took too long' }), limitMs)
    port1.onmessage = ({ data }: MessageEvent<FrameAnswer>) => {
      clearTimeout(timer)
      resolve({ ok: data.ok === true, text: String(data.text) })
    }
    // Its origin is none, so there is no other way to name it.
    frame.contentWindow?.postMessage(request, '*', [port2])
  })
}
