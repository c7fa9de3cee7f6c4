/** Scripts that the client loads before anything is shown; live starts only. */
export interface StartProps {
  readonly googleAnalyticsId?: string
  readonly pixelIds?: readonly string[]
  readonly gtmId?: string
}
