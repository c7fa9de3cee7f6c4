/** One of the items that a visitor can choose, as far as replies go. */
export interface Choice {
  readonly id: string
  /** What is saved in place of the name. */
  readonly value?: string | undefined
  readonly title?: string | undefined
  /** Stands for a title that is empty. */
  readonly pictureSrc?: string | undefined
  readonly outgoingEdgeId?: string | undefined
}

/** What a visitor may call a choice; empty for one without any title, which only its id and value can name. */
export function labelOf({ title, pictureSrc }: Choice): string {
  return (title === '' ? pictureSrc : title) ?? ''
}

/** What is saved of a choice that has no value. */
export function nameOf({ title, pictureSrc }: Choice): string {
  return title || pictureSrc || ''
}
