/** The task that writes the archive of a company: a thousand rows or one piece of a file in memory at a time. */
import { createHash } from 'node:crypto'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { type CompanyTable, companyTables, type KeyValues, rowsOfCompany } from '#platform/database/company-tables.ts'
import { removeErasedFiles } from '#platform/files/erased-files.ts'
import { FileMissing, recordFile } from '#platform/files/file-store.ts'
import { type ZipFile, zipStream } from '#platform/files/zip-stream.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { endCompanyExports, finishCompanyExport } from './company-exports.commands.ts'
import { companiesWithOldExports, type ExportedFile, filesOfCompany, lookupsOfCompany } from './company-exports.queries.ts'
import { fetchDays } from './company-exports.schemas.ts'
import { archiveName, isCompressed, isFilm, isSecretColumn, unexportedTables } from './exported-tables.rules.ts'

const most = 1_000

interface TableNote {
  table: string
  file: string
  rows: number
  sha256: string
}

export const exportCompany: Tasks['company.export'] = ({ job_id, export_id, company_id }, context) =>
  doJob(context, job_id, async progress => {
    const { services, scope, now } = context
    const company = { operator_id: scope.operator_id, company_id }
    // Its own scope alone: nothing of another company can get into the archive.
    const inside = createSystemContext(services, { operator_id: company.operator_id, company_id, companies: [company_id] })
    const { settings, ...about } = await inside.read(({ db }) => companyById(db, company_id))
    const tables = (await inside.read(({ db }) => companyTables(db)))
      .filter(({ name }) => !(name in unexportedTables))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    const total = tables.length + 3
    const begun = now().toISOString()
    const notes: TableNote[] = []
    const left_out_columns: string[] = []
    const missing: number[] = []
    const files = { count: 0, bytes: 0, films: 0, missing, missing_count: 0 }
    let done = 0

    /** JSON lines, with their number and hash for the manifest. */
    function lines(table: string, pages: AsyncIterable<readonly string[]>): ZipFile {
      const file = `tables/${table}.jsonl`
      async function* content(): AsyncGenerator<Uint8Array> {
        const hash = createHash('sha256')
        let rows = 0
        for await (const page of pages) {
          if (page.length === 0) continue
          const bytes = Buffer.from(`${page.join('\n')}\n`)
          hash.update(bytes)
          rows += page.length
          yield bytes
          await progress(done, total)
        }
        notes.push({ table, file, rows, sha256: hash.digest('hex') })
        done++
        await progress(done, total)
      }
      return { name: file, content: content() }
    }

    async function* pagesOf(table: CompanyTable): AsyncGenerator<readonly string[]> {
      const without = table.columns.filter(column => isSecretColumn(table.name, column)).map(({ name }) => name)
      left_out_columns.push(...without.map(name => `${table.name}.${name}`))
      let last: KeyValues | undefined
      for (;;) {
        const from = last
        const rows = await inside.read(({ db }) => rowsOfCompany(db, table, company, without, { last: from, most }))
        yield rows.map(({ row }) => row)
        if (rows.length < most) return
        last = rows.at(-1)?.key
      }
    }

    async function* companyRow(): AsyncGenerator<readonly string[]> {
      yield [JSON.stringify({ ...about, settings })]
    }

    async function* lookups(): AsyncGenerator<readonly string[]> {
      let last = 0
      for (;;) {
        const from = last
        const rows = await inside.read(({ db }) => lookupsOfCompany(db, company_id, { last: from, most }))
        yield rows.map(({ row }) => row)
        if (rows.length < most) return
        last = rows.at(-1)?.id ?? last
      }
    }

    async function* storedFiles(): AsyncGenerator<ZipFile> {
      let last = 0
      for (;;) {
        const from = last
        const some = await inside.read(({ db }) => filesOfCompany(db, company_id, { last: from, most: 100 }))
        for (const one of some) {
          if (isFilm(one.media_type)) files.films++
          else {
            const content = await opened(one)
            if (content) yield { name: archiveName(one.id, one.name), content, stored: isCompressed(one.media_type) }
          }
        }
        await progress(done, total)
        if (some.length < 100) break
        last = some.at(-1)?.id ?? last
      }
      done++
      await progress(done, total)
    }

    async function opened({ id, sha256, bytes }: ExportedFile): Promise<AsyncIterable<Uint8Array> | undefined> {
      try {
        const content = await services.files.open(company.operator_id, { sha256, bytes })
        files.count++
        files.bytes += bytes
        return content
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error
        files.missing_count++
        if (missing.length < 1_000) missing.push(id)
        return undefined
      }
    }

    async function* manifest(): AsyncGenerator<Uint8Array> {
      const text = {
        product: 'Pakhus',
        company: { id: about.id, code: about.code, name: about.name },
        begun_at: begun,
        ended_at: now().toISOString(),
        tables: notes,
        files: { ...files, list: 'tables/files.jsonl', hash: 'sha256 of each file stands in the list' },
        left_out: { tables: unexportedTables, columns: left_out_columns },
      }
      yield Buffer.from(JSON.stringify(text, null, 2))
    }

    async function* entries(): AsyncGenerator<ZipFile> {
      yield lines('companies', companyRow())
      for (const table of tables) yield lines(table.name, pagesOf(table))
      yield lines('customer_lookups', lookups())
      yield* storedFiles()
      yield { name: 'manifest.json', content: manifest() }
    }

    const content = await services.files.put(company.operator_id, zipStream(entries()))
    const rows = notes.reduce((sum, note) => sum + note.rows, 0)
    const at = now().toISOString()
    await context.transaction(async ({ db, recordEvent }) => {
      const name = `company-${about.code}-${at.slice(0, 10)}.zip`
      const file_id = await recordFile(db, content, { media_type: 'application/zip', name, company_id })
      await finishCompanyExport(db, export_id, { file_id, row_count: rows, file_count: files.count, finished_at: at })
      await recordEvent({
        kind: 'company.exported',
        subject: 'company',
        subject_id: company_id,
        company_id: scope.company_id,
        data: { code: about.code, rows, files: files.count },
      })
    })
    return { rows, files: files.count }
  })

/** Removes archives whose days have ended. */
export async function removeOldCompanyExports(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - fetchDays * 86_400_000)
  const old = await services.database.systemRead('the clock knows no tenant', db => companiesWithOldExports(db, before))
  for (const { operator_id, company_id } of old) {
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(({ db, now }) =>
      endCompanyExports(db, now(), before),
    )
    await removeErasedFiles(services, operator_id, services.now())
  }
}

export const endOldCompanyExports: ScheduledTask = {
  name: 'remove exports of companies after seven days',
  seconds: 3_600,
  run: removeOldCompanyExports,
}
