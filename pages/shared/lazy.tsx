import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

const retryMs = 2000

/** Loads code, however often that takes: the connection may be back soon. */
export async function load<Code>(code: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      return await code()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** A component whose code comes when it is first shown: the page is there before all of it is. */
export function lazy<Props extends object>(code: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  let isAskedFor = false
  const ask = async () => {
    isAskedFor = true
    const component = await load(code)
    loaded.value = component
  }
  return (props) => {
    if (!isAskedFor) void ask()
    const Component = loaded.value
    return Component ? <Component {...props} /> : null
  }
}
