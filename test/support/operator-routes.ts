import type { buildTestApp } from './build-test-app.ts'

interface Operation {
  readonly security?: readonly { readonly adminToken?: readonly string[] }[]
}

/** A route that takes a token of an operator alone, as the description names it. */
export interface OperatorRoute {
  readonly method: string
  readonly path: string
  readonly scopes: readonly string[]
}

/** Every such route, files among them. */
export async function listOperatorRoutes(
  app: Awaited<ReturnType<typeof buildTestApp>>['app'],
): Promise<OperatorRoute[]> {
  const { paths } = (await app.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security = [] }]) => {
      const [only, ...others] = security
      if (!only?.adminToken || others.length > 0) return []
      return [{ method: method.toUpperCase(), path, scopes: only.adminToken }]
    }),
  )
}

/** An address of the route, in which everything has the same name. */
export const addressOf = ({ path }: OperatorRoute, name = 'x') =>
  path.replace('{number}', '1').replaceAll(/\{\w+\}/g, name)
