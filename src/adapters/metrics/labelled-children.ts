/** The series of one metric, each made when its labels are first named. */
export interface LabelledChildren<Label extends string, Child> {
  childOf(labels: Labels<Label>): Child
  all(): Iterable<{ readonly labels: Labels<Label>; readonly child: Child }>
}

type Labels<Label extends string> = Readonly<Record<Label, string>>

export function createLabelledChildren<Label extends string, Child>(
  create: () => Child,
): LabelledChildren<Label, Child> {
  const known = new Map<string, { labels: Labels<Label>; child: Child }>()
  return {
    all: () => known.values(),
    childOf(labels) {
      const key = JSON.stringify(labels)
      const found = known.get(key) ?? { labels, child: create() }
      known.set(key, found)
      return found.child
    },
  }
}
