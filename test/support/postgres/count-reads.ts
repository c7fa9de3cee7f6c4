import { execute } from './postgres-tests.ts'

export interface RunStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/**
 * Counts the rows of tables that a statement goes through, planned as the service has it planned: where `fill` puts rows into an empty
 * table, as a turn has it planned before there are any.
 */
export async function countReads(databaseUrl: string, { text, values }: RunStatement, fill?: string) {
  const given = values.length === 0 ? '' : `(${values.join(', ')})`
  const answers = (await execute(
    databaseUrl,
    `SET plan_cache_mode = force_generic_plan; SET enable_mergejoin = off; BEGIN;
     ${fill === undefined ? '' : 'SET enable_seqscan = off;'} PREPARE tried AS ${text};
     ${fill === undefined ? '' : `EXECUTE tried ${given}; ${fill};`} EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE tried ${given}; ROLLBACK`,
  )) as unknown as { rows: readonly Record<string, unknown>[] }[]
  const plan = answers.flatMap((answer) => answer.rows).find((row) => 'QUERY PLAN' in row)?.['QUERY PLAN']
  return { text, read: readsOf((plan as [{ Plan: PlanNode }])[0].Plan) }
}

function readsOf(node: PlanNode): number {
  const { 'Actual Rows': found = 0, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops = 0 } = node
  const own = node['Relation Name'] === undefined ? 0 : (found + removed) * loops
  return (node.Plans ?? []).reduce((sum, inner) => sum + readsOf(inner), own)
}
