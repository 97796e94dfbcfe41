/** The command line of the server: what locks people out can be undone without a sign-in, and nothing else changes. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { AdminError, adminUsage, runAdmin } from './admin.ts'
import { scopeOfCompany } from './demo/builders.ts'

let testApp: TestApp
let operator: TestOperator
let worker: TestUser
/** Sees the tables without row-level security. */
let root: pg.Client
beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator({ shops: 1 })
  worker = await operator.hire(['admin'], operator.main, 'Mette Friis')
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const admin = (...words: string[]) => runAdmin(testApp.services, words, testApp.url)
const refusal = (...words: string[]) =>
  admin(...words).then(
    () => 'done',
    error => (error instanceof AdminError ? error.message : `${error}`),
  )
/** Gives a user a login, and answers it. */
const loginOf = async ({ user_id }: TestUser) => {
  await root.query('update users set user_name = $1 where id = $2', [`user-${user_id}`, user_id])
  return `user-${user_id}`
}
const isIn = async (user: TestUser) => (await user.ask(session.init, {})).statusCode === 200
const signIn = (name: string, password: string, at = operator.main) =>
  testApp.visitor(at).ask(session.login, { body: { login: name, password } })

describe('users', () => {
  it('are listed with their logins, of all companies or of one', async () => {
    const own = await loginOf(worker)
    const foreign = await loginOf(await operator.hire(['admin'], operator.shops[0]))
    const all = await admin('user', 'list')
    for (const text of ['Mette Friis', own, foreign]) expect(all).toContain(text)
    const some = await admin('user', 'list', operator.main.code)
    expect(some).toContain(own)
    expect(some).not.toContain(foreign)
  })

  it('sign in without the second factor that they have lost', async () => {
    const user = await operator.hire(['admin'])
    const login = await loginOf(user)
    await root.query(
      `insert into user_totp (operator_id, company_id, user_id, sealed, set_at, last_step, recovery) values ($1, $2, $3, 'sealed', now(), 0, '{}')`,
      [operator.operator_id, operator.main.id, user.user_id],
    )
    expect(await admin('user', 'unlock', operator.main.code, login)).toContain('with the password alone')
    expect(await isIn(user)).toBe(false)
    expect((await root.query('select from user_totp where user_id = $1', [user.user_id])).rowCount).toBe(0)
  })

  it('get a new password that leads to an own one, their sessions end, and the change is recorded without the password', async () => {
    const user = await operator.hire(['admin'])
    const login = await loginOf(user)
    const text = await admin('user', 'reset', operator.main.code, login.toUpperCase())
    const password = /is (\S+)\n/.exec(text)?.[1] ?? ''
    expect(await isIn(user)).toBe(false)
    const answer = await signIn(login, password)
    expect(answer.json()).toMatchObject({ code: 'own_password_needed', values: { token: expect.any(String) } })
    const own = 'six herons over a harbour'
    await testApp.visitor(operator.main).send(passwordLinks.setPassword, { body: { token: answer.json().values.token, password: own } })
    expect((await signIn(login, own)).statusCode).toBe(200)
    expect((await signIn(login, password)).json()).toMatchObject({ code: 'login_rejected' })
    const { rows } = await root.query(
      `select actor_name, data from events where kind = 'user.changed' and subject_id = $1 order by id limit 1`,
      [user.user_id],
    )
    expect(rows).toMatchObject([{ actor_name: 'system', data: { password: 'set' } }])
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  it('have no use for a link that was mailed before their password was reset', async () => {
    const user = await operator.hire(['scan'])
    const { url } = await worker.send(passwordLinks.invite, { id: user.user_id })
    await admin('user', 'reset', operator.main.code, await loginOf(user))
    const body = { token: url.split('#')[1] ?? '', password: 'six herons over a harbour' }
    expect((await testApp.visitor(operator.main).ask(passwordLinks.setPassword, { body })).json()).toMatchObject({
      code: 'password_link_ended',
    })
  })

  it('of another company are not found by their login', async () => {
    const stranger = await operator.hire(['admin'], operator.shops[0])
    expect(await refusal('user', 'reset', operator.main.code, await loginOf(stranger))).toContain('There is no user')
    expect(await isIn(stranger)).toBe(true)
  })
})

describe('companies', () => {
  it('are listed with their operator', async () => {
    const text = await admin('company', 'list')
    for (const { code } of [operator.main, ...operator.shops]) expect(text).toContain(code)
  })

  it('are added to the operator of a main company, with an admin who chooses an own password to sign in', async () => {
    const code = `added-${operator.main.id}`
    const text = await admin('company', 'add', operator.main.code, code, 'Added', 'first-admin')
    const password = text.split(' ').at(-1) ?? ''
    const companies = await worker.send(company.companies, {})
    expect(companies.map(one => one.code)).toContain(code)
    expect((await signIn('first-admin', password, { ...operator.main, code })).json()).toMatchObject({ code: 'own_password_needed' })
    expect(await refusal('company', 'add', operator.main.code, code, 'Twice', 'x')).toBe('This code is taken')
    expect(await refusal('company', 'add', operator.shops[0]!.code, 'other', 'Other', 'x')).toContain('no main company')
    expect(await refusal('company', 'add', operator.main.code, 'Not a code', 'Other', 'x')).not.toBe('done')
  })
})

describe('jobs', () => {
  it('are listed and cancelled', async () => {
    const id = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      newJob(db, { kind: 'orders.import', title: 'File', created_by: null }),
    )
    expect(await admin('job', 'list')).toContain('orders.import')
    expect(await admin('job', 'cancel', `${id}`)).toBe(`The job ${id} is cancelled.`)
    expect(await worker.send(jobs.get, { id })).toMatchObject({ state: 'cancelled' })
    expect(await refusal('job', 'cancel', `${id}`)).toContain('has ended already')
  })

  it('of the queue that failed run again', async () => {
    const { rows } = await root.query(`select id from graphile_worker.add_job('test.fails', '{}', run_at := now() + interval '1 day')`)
    const id = `${rows[0].id}`
    await root.query(`update graphile_worker._private_jobs set attempts = 25, last_error = 'It broke' where id = $1`, [id])
    expect(await admin('job', 'list')).toContain('It broke')
    expect(await admin('job', 'retry', id)).toContain('runs again')
    const after = await root.query('select attempts, run_at <= now() as due from graphile_worker._private_jobs where id = $1', [id])
    expect(after.rows).toEqual([{ attempts: 0, due: true }])
    expect(await refusal('job', 'retry', '999999999')).toContain('There is no failed task')
  })
})

describe('sessions', () => {
  it('of one user end, or of a whole company, and of no other', async () => {
    const [one, other, elsewhere] = [
      await operator.hire(['scan']),
      await operator.hire(['scan']),
      await operator.hire(['scan'], operator.shops[0]),
    ]
    await admin('session', 'end', operator.main.code, await loginOf(one))
    expect([await isIn(one), await isIn(other)]).toEqual([false, true])
    await admin('session', 'end', operator.main.code)
    expect([await isIn(other), await isIn(elsewhere)]).toEqual([false, true])
  })
})

it.each([[[]], [['user']], [['user', 'drop']], [['user', 'reset']], [['job', 'cancel', 'x']], [['toString', '']]])(
  'a command that does not exist prints what there is: %j',
  async words => {
    expect(await refusal(...words)).toBe(adminUsage)
  },
)

it('the command ends by itself beside a server that uses the same data folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pakhus-admin-'))
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined })
  try {
    await migrate(server.url)
    const { DATABASE_URL: _none, ...env } = process.env
    const script = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'company', 'list'], {
      env: { ...env, DATA_DIR: folder },
      timeout: 60_000,
    })
    expect(stdout).toMatch(/^operator +code/)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
