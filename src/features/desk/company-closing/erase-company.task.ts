/** The end of a closed company: its files and rows go table by table, in transactions of bounded size, but for what the law keeps. */
import { markCompanyErased } from '#features/company/companies/companies.commands.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { eraseUser } from '#features/company/users/users.commands.ts'
import { rowsAtOnce } from '#platform/database/batches.ts'
import {
  type CompanyTable,
  companyTables,
  deleteByKeys,
  forgetOwnReferences,
  type KeyValues,
  keysOfCompany,
} from '#platform/database/company-tables.ts'
import type { ErasurePart } from '#platform/database/erasure.ts'
import { eraseFiles, removeErasedFiles } from '#platform/files/erased-files.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { ExternalContext, Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { type EndedCompany, endedCompanies, endedCompany } from './company-closing.queries.ts'
import { keptTables } from './kept-tables.codes.ts'

const why = 'the data of a closed company end'
const customersAtOnce = 200

interface OfCompany {
  operator_id: number
  company_id: number
}

/** Hands over the keys of all rows of a company, page by page. */
async function forEachPage(
  { database }: Services,
  table: CompanyTable,
  company: OfCompany,
  most: number,
  step: (keys: readonly KeyValues[]) => Promise<void>,
): Promise<void> {
  let last: KeyValues | undefined
  for (;;) {
    const from = last
    const keys = await database.systemRead(why, db => keysOfCompany(db, table, company, { last: from, most }))
    if (keys.length > 0) await step(keys)
    if (keys.length < most) return
    last = keys.at(-1)
  }
}

const isStillNeeded = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23503'

/** Deletes some rows; where one of them is named by what is kept, each by itself. */
async function deletePage({ database }: Services, table: CompanyTable, company: OfCompany, keys: readonly KeyValues[]): Promise<number> {
  const remove = (some: readonly KeyValues[]) => database.systemTransaction(why, db => deleteByKeys(db, table, company, some))
  try {
    return await remove(keys)
  } catch (error) {
    if (!isStillNeeded(error)) throw error
  }
  let deleted = 0
  for (const key of keys)
    deleted += await remove([key]).catch(error => {
      if (isStillNeeded(error)) return 0
      throw error
    })
  return deleted
}

/** The queue's task. `parts` know what other tables hold of the company's customers. Begun again, it goes on with what is left. */
export const eraseCompany =
  (parts: readonly ErasurePart[]): Tasks['company.erase'] =>
  ({ job_id, company_id }, context) =>
    doJob(context, job_id, async progress => {
      const { services, scope, now } = context
      const company = { operator_id: scope.operator_id, company_id }
      const found = await services.database.systemRead(why, db => endedCompany(db, company.operator_id, company_id, now()))
      if (!found) return null
      const inside = createSystemContext(services, { operator_id: company.operator_id, company_id, companies: [company_id] })
      const tables = await services.database.systemRead(why, companyTables)
      const ends = tables.filter(({ name }) => !(name in keptTables))
      const total = ends.length + 3
      let done = 0
      let rows = 0
      await progress(done, total)

      await forgetCustomers(parts, services, inside, tables, company)
      await progress(++done, total)
      await removeContent(services, inside, tables, company)
      await progress(++done, total)
      for (const table of ends) {
        if (table.own_references.length > 0)
          await forEachPage(services, table, company, rowsAtOnce, keys =>
            services.database.systemTransaction(why, db => forgetOwnReferences(db, table, company, keys)),
          )
        await forEachPage(services, table, company, rowsAtOnce, async keys => {
          rows += await deletePage(services, table, company, keys)
        })
        await progress(++done, total)
      }
      await forgetUsers(services, inside, tables, company)
      await services.database.systemTransaction(why, db => markCompanyErased(db, { ...company, id: company_id, at: now() }))
      await context.transaction(async ({ recordEvent, notify }) => {
        await recordEvent({ kind: 'company.erased', subject: 'company', subject_id: company_id, data: { code: found.code, rows } })
        notify('people')
        notify('company', company_id)
      })
      await progress(++done, total)
      return { rows }
    })

const tableNamed = (tables: readonly CompanyTable[], name: string): CompanyTable => {
  const table = tables.find(one => one.name === name)
  if (!table) throw new Error(`There is no table ${name}`)
  return table
}

/** Customers are the operator's: those whom no other company knows end with what this one knows. */
async function forgetCustomers(
  parts: readonly ErasurePart[],
  services: Services,
  inside: ExternalContext,
  tables: readonly CompanyTable[],
  company: OfCompany,
): Promise<void> {
  const part = parts.find(one => one.tables.includes('customer_lookups'))
  if (!part) throw new Error('No part erases customers')
  const known = tableNamed(tables, 'customer_companies')
  const at = known.key.findIndex(({ name }) => name === 'customer_id')
  await forEachPage(services, known, company, customersAtOnce, async keys => {
    const customer_ids = keys.map(key => Number(key[at]))
    await inside.transaction(({ db, now }) => part.erase(db, { order_ids: [], customer_ids, words: [] }, now()))
  })
}

async function removeContent(
  services: Services,
  inside: ExternalContext,
  tables: readonly CompanyTable[],
  company: OfCompany,
): Promise<void> {
  const files = tableNamed(tables, 'files')
  const at = files.key.findIndex(({ name }) => name === 'id')
  await forEachPage(services, files, company, rowsAtOnce, async keys => {
    await inside.transaction(({ db, now }) =>
      eraseFiles(
        db,
        keys.map(key => Number(key[at])),
        now(),
      ),
    )
    await removeErasedFiles(services, company.operator_id, services.now())
  })
  // What an earlier attempt had marked just before it was interrupted.
  await removeErasedFiles(services, company.operator_id, services.now())
}

/** People whom hours and pay name stay, without name and address. */
async function forgetUsers(
  services: Services,
  inside: ExternalContext,
  tables: readonly CompanyTable[],
  company: OfCompany,
): Promise<void> {
  const users = tableNamed(tables, 'users')
  const at = users.key.findIndex(({ name }) => name === 'id')
  await forEachPage(services, users, company, rowsAtOnce, async keys => {
    for (const key of keys) await inside.transaction(context => eraseUser(context, Number(key[at])))
  })
}

/** Begins to erase the companies whose days of grace have ended. */
export async function startErasingCompanies(services: Services): Promise<void> {
  const ended = await services.database.systemRead('the clock knows no tenant', db => endedCompanies(db, services.now()))
  for (const company of ended) await startErasing(services, company)
}

async function startErasing(services: Services, { operator_id, id, code, main_id }: EndedCompany): Promise<void> {
  await createSystemContext(services, { operator_id, company_id: main_id, companies: [main_id] }).transaction(
    async ({ db, enqueue, notify }) => {
      const job_id = await newJob(db, { kind: 'company.erase', title: code, created_by: null })
      await enqueue('company.erase', { job_id, company_id: id }, { key: `company.erase/${job_id}`, queue: `company.erase/${operator_id}` })
      notify('job', job_id)
    },
  )
}

export const endClosedCompanies: ScheduledTask = {
  name: 'erase the data of closed companies',
  seconds: 3_600,
  run: startErasingCompanies,
}
