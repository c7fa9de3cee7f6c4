/** Whether a service that listens there is reached from its own machine alone, unless something passes connections on. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
