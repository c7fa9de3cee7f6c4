import type { VideoMessage } from '../../../schemas/blocks/bubbles.ts'

/** A video, as its address describes it. */
export type Video = Required<Pick<VideoMessage['content'], 'type' | 'url'>> &
  Pick<VideoMessage['content'], 'id' | 'queryParamsStr'>

/**
 * The providers, in the order in which they are tried. The first group of a pattern is the id, the second the
 * parameters. No pattern can start twice within what it skips over, so a search is linear.
 */
const providers = [
  { type: 'youtube', pattern: /youtube\.com\/watch\?v=([\w-]+)/ },
  { type: 'youtube', pattern: /youtube\.com\/shorts\/([\w-]+)/ },
  { type: 'youtube', pattern: /youtu\.be\/([\w-]+)(\?[^\s#]+)?/ },
  { type: 'vimeo', pattern: /vimeo\.com\/(\d+)/ },
  { type: 'tiktok', pattern: /tiktok\.com\/@[^\s/]+\/video\/(\d+)/ },
  { type: 'gumlet', pattern: /gumlet\.(?:com|tv)\/watch\/(\w+)/ },
] as const

const oneDrive = 'https://onedrive.live.com/embed?'

/** Derives the provider of a video from its address; an unknown one is a file. */
export function recogniseVideo(url: string): Video {
  for (const { type, pattern } of providers) {
    const match = pattern.exec(url)
    if (!match) continue
    const [part, id = '', params = ''] = match
    const queryParamsStr = playerParams(params)
    return { type, url: part, id, ...(queryParamsStr && { queryParamsStr }) }
  }
  return { type: 'url', url: url.includes(oneDrive) ? url.replace('/embed', '/download') : url }
}

/** Parameters of a shared address as the player wants them: it calls the moment to start at `start`. */
function playerParams(params: string): string {
  const search = new URLSearchParams(params)
  const start = search.get('t')
  if (start !== null) {
    search.delete('t')
    search.set('start', start)
  }
  return search.size > 0 ? `?${search}` : ''
}
