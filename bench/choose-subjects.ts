/** What `--only` names: a group by its whole name, and anything else by a part of its name; all without it. */
export function chooseSubjects<Subject extends { readonly name: string }>(
  subjects: readonly Subject[],
  only: readonly string[],
): readonly Subject[] {
  if (only.length === 0) return subjects
  const groups = new Set(subjects.map(({ name }) => groupOf(name)))
  return subjects.filter(({ name }) =>
    only.some((part) => (groups.has(part) ? groupOf(name) === part : name.includes(part))),
  )
}

const groupOf = (name: string) => name.split(': ', 1)[0]
