export interface Import {
  readonly file: string
  readonly target: string
}

/** The circles among files, each as the way around it; one for every import that leads back. */
export function findCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target])
  const circles: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    const at = trail.indexOf(file)
    if (at !== -1) circles.push([...trail.slice(at), file])
    if (at !== -1 || done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return circles
}
