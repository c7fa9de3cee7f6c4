import type { YamlPlaces } from '../../ports/yaml-reader-port.ts'

/** Place of a pointer's target; a target that is absent has the place of its parent. */
export function placeIn(places: YamlPlaces, pointer: string): string {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at)
    if (place !== undefined) return place
  }
  return '1:1'
}
