import { defineFlowChat } from './embed.ts'
import { FlowChat } from './flow-chat.ts'

// `/embed.js`: the line of HTML that puts a chat onto a page.

const script = document.currentScript as HTMLScriptElement | null

FlowChat.address = new URL(script?.src || location.href).origin
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
else begin()

/** Once the element is defined, pages find it. */
function begin(): void {
  if (script?.dataset['flow']) addChat(script)
  defineFlowChat()
}

/** An inline chat stands where its line does, unless it is to fill an element. */
function addChat(script: HTMLScriptElement): void {
  const { into, mode } = script.dataset
  const chat = document.createElement('flow-chat')
  Object.assign(chat.dataset, { address: FlowChat.address }, script.dataset)
  const place = into && document.querySelector(into)
  if (place) place.append(chat)
  else if (mode === 'inline' && document.body.contains(script)) script.after(chat)
  else document.body.append(chat)
}
