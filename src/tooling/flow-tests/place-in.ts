import type { YamlPlaces } from '../../ports/yaml-reader-port.ts'

/** Where a pointer leads; what is not there has the place of what is around it. */
export function placeIn(places: YamlPlaces, pointer: string): string {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at)
    if (place !== undefined) return place
  }
  return '1:1'
}
