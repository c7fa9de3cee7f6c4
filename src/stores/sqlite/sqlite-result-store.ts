import { nextOf, startOf } from '../codec/result-cursor.ts'
import { mostPassed } from '../codec/result-filter.ts'
import { countOfPage, namesOfPage } from '../codec/result-names.ts'
import type { ClientLogs } from '../conversation-store.ts'
import { asksForText, type ResultPage, type ResultPageRequest, type ResultStore } from '../result-store.ts'
import type { DataFolder } from './database.ts'

/** Results that are erased as one unit: turns wait until the pages of indices that it changes are on the disk, four for each. */
const erasedAtOnce = 50

/** Results that are counted at once where each has to be read. */
const readAtOnce = 250

/** Reads results of the database. Each request is one short read, however long the list. */
export function createSqliteResultStore(folder: Pick<DataFolder, 'calls' | 'usage'>) {
  const rows = folder.calls('results', 'list', 'listNames', 'count', 'add', 'appendLogs')
  const requestOf = (flowId: string, page: ResultPageRequest) => {
    const { limit, filter = {}, order } = page
    return { flowId, beyond: startOf(page), limit, filter, order }
  }

  async function list(flowId: string, page: ResultPageRequest): Promise<ResultPage> {
    const { results, last } = await rows.list(requestOf(flowId, page))
    return { results, ...nextOf(last, page.order) }
  }

  const store: ResultStore = {
    ...folder.calls('results', 'get', 'exists', 'delete', 'outlived', 'forget'),
    list,
    async listNames(flowId, asked) {
      const page = { ...asked, limit: erasedAtOnce }
      if (page.filter && asksForText(page.filter)) return namesOfPage(await list(flowId, page))
      const { names, last } = await rows.listNames(requestOf(flowId, page))
      return { names, ...nextOf(last) }
    },
    async count(flowId, page) {
      if (page.filter && asksForText(page.filter))
        return countOfPage(await list(flowId, { ...page, limit: readAtOnce }))
      const { count, last } = await rows.count(requestOf(flowId, { ...page, limit: mostPassed }))
      return { count, ...nextOf(last) }
    },
    add: (_, results) => rows.add(results),
    usage: async () => (await folder.usage()).results,
  }
  return {
    ...store,
    /** Appends to a result that is there, once for each key; false when there is none. */
    appendLogs: ({ resultId: id, flowId, key, logs, requestId, now }: ClientLogs): Promise<boolean> =>
      rows.appendLogs(key, { id, flowId, now, logs, requestId }),
  }
}
