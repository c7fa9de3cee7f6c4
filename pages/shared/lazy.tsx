import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

const retryMs = 2000

/** A component whose code comes when it is first shown: the page is there before all of it is. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  let isAskedFor = false
  const ask = async () => {
    isAskedFor = true
    try {
      const component = await load()
      loaded.value = component
    } catch {
      // The connection may be back soon.
      setTimeout(ask, retryMs)
    }
  }
  return (props) => {
    if (!isAskedFor) void ask()
    const Component = loaded.value
    return Component ? <Component {...props} /> : null
  }
}
