/** The export of a company over HTTP: everything that it has, from every table, without secrets, for who asked and for seven days. */
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BuiltCompany } from '#app/demo/builders.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { companyTables } from '#platform/database/company-tables.ts'
import { fillCompany, fillTheRest } from '#test/fixtures.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { eraseCompanyExports } from './company-exports.commands.ts'
import { companyExports } from './company-exports.contract.ts'
import { removeOldCompanyExports } from './export-company.task.ts'
import { archiveName, isSecretColumn, unexportedTables } from './exported-tables.rules.ts'

const password = 'The crane in the harbour 7'
const mark = 'Kanarie7Q'
let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let shop: BuiltCompany
let boss: TestUser
let second: TestUser
/** Of the export that most rules look at. */
let id: number
let archive: Map<string, Buffer>
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator({ shops: 2, settings: { sender } })
  shop = operator.shops[0] as BuiltCompany
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  second = await operator.hire(['admin'], operator.main, 'Bo Berg')
  await root.query('update users set password_hash = $1 where id = any ($2)', [
    await hashPassword(password),
    [boss.user_id, second.user_id],
  ])
  await fillCompany(testApp, operator, operator.main, 'Home')
  await fillCompany(testApp, operator, shop, mark)
  await fillTheRest(root, operator.operator_id, shop.id, mark)
  await root.query('delete from company_exports')
  await fillCompany(testApp, operator, operator.shops[1] as BuiltCompany, 'Sister5X')
  const stored = await testApp.services.files.put(operator.operator_id, Buffer.from('A paper of this company'))
  const film = await testApp.services.files.put(operator.operator_id, Buffer.from('A film'))
  for (const [content, media_type, name] of [
    [stored, 'application/pdf', '../Følge/seddel.pdf'],
    [film, 'video/mp4', 'clip.mp4'],
  ] as const)
    await root.query('insert into files (operator_id, company_id, sha256, bytes, media_type, name) values ($1, $2, $3, $4, $5, $6)', [
      operator.operator_id,
      shop.id,
      content.sha256,
      content.bytes,
      media_type,
      name,
    ])
  id = await make()
  archive = await read(id)
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )
async function make(): Promise<number> {
  const { id: made, job_id } = await boss.send(companyExports.start, { company_id: shop.id, body: { password } })
  await vi.waitFor(async () => expect((await boss.send(jobs.get, { id: job_id })).state).toBe('done'), { timeout: 60_000, interval: 100 })
  return made
}
const read = async (one: number) => {
  const { bytes, media_type } = await boss.send(companyExports.file, { id: one })
  expect(media_type).toBe('application/zip')
  const files = unzipSync(bytes as Uint8Array)
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]))
}

describe('the archive', () => {
  it('holds every row of every table of the company, or says why not, and nothing of another company', async () => {
    const manifest = JSON.parse(String(archive.get('manifest.json')))
    const tables = await testApp.services.database.systemRead('a test looks', companyTables)
    const missing = tables.map(({ name }) => name).filter(name => !archive.has(`tables/${name}.jsonl`) && !(name in unexportedTables))
    expect(missing).toEqual([])
    for (const name of Object.keys(unexportedTables)) expect(tables.map(one => one.name)).toContain(name)
    for (const { table, file, rows, sha256 } of manifest.tables as { table: string; file: string; rows: number; sha256: string }[]) {
      const content = archive.get(file) ?? Buffer.alloc(0)
      expect(content.toString().split('\n').length - 1, table).toBe(rows)
      expect(createHash('sha256').update(content).digest('hex'), table).toBe(sha256)
      if (table === 'companies' || table === 'customer_lookups') continue
      // What the export itself writes comes while it is read.
      if (['events', 'jobs', 'access_log', 'files'].includes(table)) continue
      const { rows: counted } = await root.query<{ n: number }>(
        `select count(*)::int n from ${table} where operator_id = $1 and company_id = $2`,
        [operator.operator_id, shop.id],
      )
      expect(rows, table).toBe(counted[0]?.n)
    }
    const text = [...archive.values()].map(String).join('\n')
    expect(text).toContain(`${mark}-P`)
    expect(text).not.toContain('Sister5X')
    expect(String(archive.get('tables/customer_lookups.jsonl'))).toContain(`buyer.${mark.toLowerCase()}`)
    expect(manifest).toMatchObject({ company: { code: shop.code, name: shop.name }, files: { missing: [] } })
  })

  it('holds the stored files of the company with the content that the list names', async () => {
    const paper = [...archive.keys()].find(name => name.endsWith('seddel.pdf'))
    expect(paper).toMatch(/^files\/\d+-__Følge_seddel\.pdf$/)
    expect(String(archive.get(paper ?? ''))).toBe('A paper of this company')
    expect([...archive.keys()].filter(name => name.endsWith('clip.mp4') || name.endsWith('.zip'))).toEqual([])
    expect(String(archive.get('tables/files.jsonl'))).toContain('clip.mp4')
    expect(JSON.parse(String(archive.get('manifest.json'))).files).toMatchObject({ films: 1 })
  })

  it('holds no secret: no hash, key, token or sealed text', async () => {
    const tables = await testApp.services.database.systemRead('a test looks', companyTables)
    for (const table of tables)
      for (const column of table.columns.filter(one => isSecretColumn(table.name, one)))
        for (const line of String(archive.get(`tables/${table.name}.jsonl`) ?? '')
          .split('\n')
          .filter(Boolean))
          expect(Object.keys(JSON.parse(line)), table.name).not.toContain(column.name)
    const secret = (name: string, type = 'text') => isSecretColumn('users', { name, type })
    expect(['password_hash', 'token_hash', 'pin_hash', 'sealed'].map(name => secret(name))).toEqual([true, true, true, true])
    expect([secret('key_hash', 'bytea'), secret('recovery', 'bytea[]'), secret('sha256'), secret('sku_key'), secret('name')]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('gives every file a name that stays in its folder', () => {
    expect([archiveName(1, '../../etc/passwd'), archiveName(2, ''), archiveName(3, 'Label 4.pdf'), archiveName(4, 'a\\b:c')]).toEqual([
      'files/1-__.._etc_passwd',
      'files/2-file',
      'files/3-Label 4.pdf',
      'files/4-a_b_c',
    ])
  })
})

describe('an export', () => {
  it('is asked for with the own password by an admin of the main company, one at a time', async () => {
    const own = await operator.hire(['admin'], shop)
    const clerk = await operator.hire(['settings_admin'])
    for (const user of [own, clerk])
      expect((await user.ask(companyExports.start, { company_id: shop.id, body: { password } })).statusCode).toBe(403)
    expect(await refused(boss.send(companyExports.start, { company_id: shop.id, body: { password: 'wrong' } }))).toMatchObject({
      fields: { password: 'This is not your present password' },
    })
    const other = await testApp.operator()
    expect(await refused(boss.send(companyExports.list, { company_id: other.main.id }))).toMatchObject({ status: 404 })
    await root.query(
      `with job as (insert into jobs (operator_id, company_id, kind, title, state) values ($1, $2, 'company.export', 'x', 'running') returning id)
        insert into company_exports (operator_id, company_id, job_id, requested_by, requested_by_name) select $1, $3, id, 1, 'x' from job`,
      [operator.operator_id, operator.main.id, shop.id],
    )
    expect(await refused(boss.send(companyExports.start, { company_id: shop.id, body: { password } }))).toMatchObject({
      code: 'export_running',
    })
    await root.query("update jobs set state = 'cancelled' where kind = 'company.export' and title = 'x'")
  })

  it('can be stopped, and leaves no file', async () => {
    const stopped = await testApp.services.database.transaction(
      { operator_id: operator.operator_id, company_id: operator.main.id, companies: [operator.main.id, shop.id] },
      async db => {
        const job = await db
          .insertInto('jobs')
          .values({ kind: 'company.export', title: shop.code, cancel_asked_at: new Date().toISOString() })
          .returning('id')
          .executeTakeFirstOrThrow()
        const made = await db
          .insertInto('company_exports')
          .values({ company_id: shop.id, job_id: job.id, requested_by: boss.user_id, requested_by_name: 'Astrid Holm' })
          .returning('id')
          .executeTakeFirstOrThrow()
        return { id: made.id, job_id: job.id }
      },
    )
    await boss.ask(jobs.cancel, { id: stopped.job_id })
    expect((await boss.send(companyExports.list, { company_id: shop.id })).find(one => one.id === stopped.id)).toMatchObject({
      bytes: null,
    })
    expect(await refused(boss.send(companyExports.file, { id: stopped.id }))).toMatchObject({ code: 'job_file_not_found' })
  })

  it('is fetched by who asked alone, which the log of accesses keeps', async () => {
    expect((await second.send(companyExports.list, { company_id: shop.id })).find(one => one.id === id)).toMatchObject({
      is_own: false,
      requested_by: 'Astrid Holm',
    })
    expect(await refused(second.send(companyExports.file, { id }))).toMatchObject({ status: 403, code: 'export_not_own' })
    await read(id)
    const { rows } = await root.query(
      "select distinct what, user_name from access_log where subject_type = 'company' and subject_id = $1 order by what",
      [shop.id],
    )
    expect(rows).toEqual([
      { what: 'company.export', user_name: 'Astrid Holm' },
      { what: 'company.export_file', user_name: 'Astrid Holm' },
    ])
  })

  it('ends after seven days, and with the first person who is erased', async () => {
    const scope = { operator_id: operator.operator_id, company_id: shop.id, companies: [shop.id] }
    await testApp.services.database.transaction(scope, db =>
      eraseCompanyExports.erase(db, { order_ids: [], customer_ids: [], words: ['somebody'] }, new Date()),
    )
    expect(await refused(boss.send(companyExports.file, { id }))).toMatchObject({ code: 'job_file_not_found' })
    const next = await make()
    const age = (hours: number) =>
      root.query("update company_exports set finished_at = now() - $2 * interval '1 hour' where id = $1", [next, hours])
    await age(7 * 24 - 1)
    await removeOldCompanyExports(testApp.services)
    await read(next)
    await age(7 * 24 + 1)
    await removeOldCompanyExports(testApp.services)
    expect(await refused(boss.send(companyExports.file, { id: next }))).toMatchObject({ code: 'job_file_not_found' })
  })
})
