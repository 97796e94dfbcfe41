/** The person's own copy: what every owner of personal data stores of the person, as a ZIP archive with one JSON file per owner. */
import { Zip, ZipDeflate } from 'fflate'
import type { StoredContent } from '#contract/endpoint.ts'
import type { Db } from '#platform/database/database.ts'
import type { ErasedSubjects, ErasurePart } from '#platform/database/erasure.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { customersOf, type Erasure, nextSubjects, wordsOfCustomers } from './erasure.queries.ts'

const ordersAtOnce = 200

interface ExportTools {
  operator_id: number
  files: Services['files']
  transaction<T>(step: (db: Db) => Promise<T>): Promise<T>
}

/** Stores the archive; the rows of one owner are in memory at a time. */
export function storePersonExport(
  parts: readonly ErasurePart[],
  { operator_id, files, transaction }: ExportTools,
  erasure: Erasure,
): Promise<StoredContent> {
  async function rowsOfPart(part: ErasurePart): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {}
    let done_order_id = 0
    for (;;) {
      const from = { ...erasure, done_order_id }
      const batch = await transaction(async db => {
        const subjects = await nextSubjects(db, from, ordersAtOnce)
        // A customer without orders is read once.
        if (!subjects && (done_order_id > 0 || erasure.asked_customer_ids.length === 0)) return undefined
        const order_ids = subjects?.order_ids ?? []
        const customer_ids = [...new Set([...erasure.asked_customer_ids, ...(await customersOf(db, order_ids))])]
        const whole: ErasedSubjects = { words: subjects?.words ?? (await wordsOfCustomers(db, customer_ids)), order_ids, customer_ids }
        return { last: Math.max(1, ...order_ids), rows: await part.read(db, whole) }
      })
      if (!batch) return all
      done_order_id = batch.last
      for (const [table, rows] of Object.entries(batch.rows)) all[table] = [...(all[table] ?? []), ...rows]
    }
  }
  async function* archive(): AsyncGenerator<Uint8Array> {
    const pieces: Uint8Array[] = []
    const zip = new Zip((error, piece) => {
      if (error) throw error
      pieces.push(piece)
    })
    for (const part of parts) {
      const entry = new ZipDeflate(`${part.tables[0]}.json`)
      zip.add(entry)
      entry.push(Buffer.from(JSON.stringify(await rowsOfPart(part), null, 2)), true)
      yield* pieces.splice(0)
    }
    zip.end()
    yield* pieces.splice(0)
  }
  return files.put(operator_id, archive())
}
