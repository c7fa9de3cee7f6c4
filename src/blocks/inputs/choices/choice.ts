/** One of the items that a visitor can choose, as far as replies go. */
export interface Choice {
  readonly id: string
  /** Value that is saved in place of the name. */
  readonly value?: string | undefined
  readonly title?: string | undefined
  /** Stands for a title that is empty. */
  readonly pictureSrc?: string | undefined
  readonly outgoingEdgeId?: string | undefined
}

/**
 * Label by which a visitor may name a choice; empty for one without any title, which only its id and value can name.
 */
export function labelOf({ title, pictureSrc }: Choice): string {
  return (title === '' ? pictureSrc : title) ?? ''
}

/** Name that is saved for a choice without a value. */
export function savedNameOf({ title, pictureSrc }: Choice): string {
  return title || pictureSrc || ''
}
