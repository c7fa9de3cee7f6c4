import type { ComponentChildren } from 'preact'

interface WideProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A table that may be wider than the page, and is scrolled by keys as well. */
export function Wide({ label, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it too
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
