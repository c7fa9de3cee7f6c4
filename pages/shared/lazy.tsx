import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** A component whose code comes when it is first shown: the page is there before all of it is. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  let isAskedFor = false
  return (props) => {
    if (!isAskedFor) {
      isAskedFor = true
      void load().then((component) => {
        loaded.value = component
      })
    }
    const Component = loaded.value
    return Component ? <Component {...props} /> : null
  }
}
