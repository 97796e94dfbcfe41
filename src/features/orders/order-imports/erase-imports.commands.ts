/** Erasing a person from imports: rows of the files, and values in the reasons why rows were refused. */
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { StoredContent } from '#contract/endpoint.ts'
import { headersOf } from '#domain/csv-text.ts'
import { readRows, textOf } from '#platform/csv/csv-rows.ts'
import { type ErasedSubjects, type ErasurePart, type ErasureTools, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { StartedMapping } from './order-imports.schemas.ts'

interface ImportFile extends StoredContent {
  id: number
  name: string
}

interface ImportOfPerson {
  id: number
  file: ImportFile
  /** The refused rows. */
  errors: ImportFile | null
  mapping: unknown
  /** No order of anyone else came with it. */
  whole: boolean
  /** Numbers by which the person's rows are recognized. */
  numbers: string[]
}

export const eraseImports: ErasurePart = {
  tables: ['order_imports'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`
      update order_imports i set
        problems = (select coalesce(jsonb_agg(p || '{"values": {}, "message": ""}'), '[]') from jsonb_array_elements(i.problems) p),
        refusals = (select coalesce(jsonb_agg(jsonb_set(r, '{problem,values}', '{}')), '[]') from jsonb_array_elements(i.refusals) r)
      where operator_id = current_operator_id() and (problems::text ilike any (${wordPatterns(words)}::text[]) or refusals::text ilike any (${wordPatterns(words)}::text[]))`.execute(
      db,
    )
    return { order_imports: Number(numAffectedRows ?? 0) }
  },

  /** Only the reasons that name the person: others stand in the same file. */
  async read(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    return {
      order_imports: await rowsOf(
        db,
        sql`select created_at, (select jsonb_agg(p) from jsonb_array_elements(problems) p where p::text ${named}) as problems,
            (select jsonb_agg(r) from jsonb_array_elements(refusals) r where r::text ${named}) as refusals
          from order_imports where operator_id = current_operator_id() and (problems::text ${named} or refusals::text ${named}) order by id`,
      ),
    }
  },

  async rewriteFiles(tools, subjects) {
    for (const one of await importsOf(tools, subjects)) {
      const started = StartedMapping.parse(one.mapping)
      const form = { separator: started.form.separator, encoding: 'utf-8', header_row: 1 } as const
      const { columns, blank_order_no } = started.mapping
      const numbered = blank_order_no === 'order_above' ? Object.keys(columns).find(column => columns[column] === 'order_no') : undefined
      const marks = { words: [...one.numbers, ...subjects.words], numbered }
      const file = one.whole ? null : await withoutRows(tools, one.file, started.form, marks)
      const errors = one.whole || one.errors === null ? null : await withoutRows(tools, one.errors, form, marks)
      await tools.transaction(async db => {
        const about = { media_type: 'text/csv', name: one.file.name }
        if (file) {
          const file_id = await recordFile(db, file, about)
          const mapping = JSON.stringify({ ...started, form })
          await db.updateTable('order_imports').set({ file_id, mapping }).where('id', '=', one.id).execute()
        }
        if (file || one.whole) await eraseFiles(db, [one.file.id], tools.now)
        if (one.errors && (errors || one.whole)) {
          const error_file_id = errors && (await recordFile(db, errors, { ...about, name: one.errors.name }))
          await db.updateTable('order_imports').set({ error_file_id }).where('id', '=', one.id).execute()
          await eraseFiles(db, [one.errors.id], tools.now)
        }
      })
    }
  },
}

const importsOf = ({ transaction }: ErasureTools, { order_ids }: ErasedSubjects): Promise<ImportOfPerson[]> =>
  transaction(async db => {
    const { rows } = await sql<ImportOfPerson>`
      select i.id, i.mapping, jsonb_build_object('id', f.id, 'name', f.name, 'sha256', f.sha256, 'bytes', f.bytes) as file,
        case when e.id is not null then jsonb_build_object('id', e.id, 'name', e.name, 'sha256', e.sha256, 'bytes', e.bytes) end as errors,
        not exists (select from orders x where x.operator_id = i.operator_id and x.import_id = i.id and x.erased_at is null and x.id <> all (${order_ids}::bigint[])) as whole,
        (select array_agg(n) from orders o, unnest(array[o.order_no, o.external_id]) n
          where o.operator_id = i.operator_id and o.import_id = i.id and o.id = any (${order_ids}::bigint[])) as numbers
      from order_imports i join files f on f.operator_id = i.operator_id and f.id = i.file_id and f.erased_at is null
        left join files e on e.operator_id = i.operator_id and e.id = i.error_file_id and e.erased_at is null
      where i.operator_id = current_operator_id() and i.id in (select o.import_id from orders o where o.operator_id = current_operator_id() and o.id = any (${order_ids}::bigint[]))
      order by i.id`.execute(db)
    return rows
  })

type FileForm = z.infer<typeof StartedMapping>['form']

/** What rows of a person hold, and the column whose empty cells continue the order above. */
interface Marks {
  words: readonly string[]
  numbered: string | undefined
}

/** Stores the file in UTF-8 from its header on, without the rows in which a cell is one of the words; null where there is none. */
async function withoutRows(
  { files, operator_id }: ErasureTools,
  content: StoredContent,
  form: FileForm,
  { words, numbered }: Marks,
): Promise<StoredContent | null> {
  const plain = (cell: string) => cell.trim().toLowerCase().replace(/^#/, '')
  const wanted = new Set(words.map(plain))
  let found = false
  async function* keptRows() {
    using stream = await files.open(operator_id, content)
    let numberPlace = -1
    let headed = false
    let gone = false
    for await (const rows of readRows(textOf(stream, form.encoding), { separator: form.separator })) {
      const others: string[][] = []
      for (const { row, cells } of rows) {
        if (row < form.header_row) continue
        if (!headed && numbered !== undefined) numberPlace = headersOf(cells).indexOf(numbered)
        const continues = headed && numberPlace >= 0 && (cells[numberPlace] ?? '').trim() === ''
        gone = (continues && gone) || cells.some(cell => wanted.has(plain(cell)))
        headed = true
        if (gone) found = true
        else others.push(cells)
      }
      yield others
    }
  }
  for await (const _ of keptRows()) if (found) break
  if (!found) return null
  async function* kept() {
    yield Buffer.from('\ufeff')
    for await (const others of keptRows()) if (others.length > 0) yield Buffer.from(stringify(others, { delimiter: form.separator }))
  }
  return files.put(operator_id, kept())
}
