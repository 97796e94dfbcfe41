/** The command line on the server for people who are locked out: users, companies, jobs and sessions. */
import { sql } from 'kysely'
import pg from 'pg'
import { AppError } from '#contract/errors.ts'
import { companyCode } from '#contract/fields.schemas.ts'
import { addCompany } from '#features/company/companies/companies.commands.ts'
import { cancelJob } from '#features/company/jobs/jobs.queries.ts'
import { endPasswordLink } from '#features/company/users/password-links.commands.ts'
import { deleteFactors } from '#features/company/users/second-factors.commands.ts'
import { setPassword } from '#features/company/users/users.commands.ts'
import { newPassword } from '#features/company/users/users.queries.ts'
import { erasureRecords } from '#features/desk/erasure/repeated-erasures.commands.ts'
import { endSessionsOf } from '#platform/auth/session-store.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { ExternalContext, Services } from '#platform/http/feature-module.ts'
import { failedTasks, retryTask } from '#platform/jobs/queued-tasks.ts'

export const adminUsage = `npm run admin -- COMMAND

  user list [COMPANY]                     users, their logins and last sign-in
  user reset COMPANY LOGIN                a new password, printed once, with which the user chooses an own one; all sessions end
  user unlock COMPANY LOGIN               removes code app and passkeys of a user who has lost them; all sessions end
  company list                            companies of every operator
  company add MAIN CODE NAME LOGIN        a company of the operator of MAIN, with a first admin
  job list                                running and newest jobs, and failed tasks of the queue
  job retry TASK                          runs a failed task of the queue again
  job cancel JOB                          asks a job to stop
  erasure list                            erasures of persons, as a restore reads them (npm run -s admin)
  session end COMPANY [LOGIN]             ends the sessions of a user, or of a whole company

COMPANY and MAIN are codes, as in the address. LOGIN is a user name, an e-mail address or an employee number.`

/** A command that does not exist or names something unknown; its text is for the person who typed it. */
export class AdminError extends Error {
  override name = 'AdminError'
}

type Command = (services: Services, words: readonly string[], url: string) => Promise<string>

const commands: Record<string, Command> = {
  async 'user list'({ database }, [code]) {
    const company = code === undefined ? undefined : await companyOf(database, code)
    const rows = await database.systemRead('the server lists users of all tenants', db =>
      db
        .selectFrom('users as u')
        .innerJoin('companies as c', join => join.onRef('c.operator_id', '=', 'u.operator_id').onRef('c.id', '=', 'u.company_id'))
        .select(['c.code', 'u.name', 'u.user_name', 'u.email', 'u.employee_no'])
        .select(eb =>
          eb
            .selectFrom('sessions as s')
            .select(s => s.fn.max('s.created_at').as('at'))
            .whereRef('s.operator_id', '=', 'u.operator_id')
            .whereRef('s.user_id', '=', 'u.id')
            .as('signed_in'),
        )
        .where('u.removed_at', 'is', null)
        .$if(company !== undefined, some => some.where('c.id', '=', company?.id ?? 0))
        .orderBy('c.code')
        .orderBy('u.name')
        .execute(),
    )
    return table(
      ['company', 'name', 'logins', 'last sign-in'],
      rows.map(row => [
        row.code,
        row.name,
        [row.user_name, row.email, row.employee_no].filter(Boolean).join(', '),
        row.signed_in?.slice(0, 16) ?? 'never',
      ]),
    )
  },

  async 'user reset'(services, [code, login]) {
    const { user, context } = await userOf(services, code, login)
    const password = newPassword()
    const password_hash = await hashPassword(password)
    const ended = await context.transaction(async ({ db, recordEvent, notify }) => {
      await setPassword(db, user.id, password_hash, { given: true })
      // A link that was mailed before would undo the new password.
      await endPasswordLink(db, user.id)
      const ended = await endSessionsOf(db, user.id, services.now())
      await recordEvent({
        kind: 'user.changed',
        subject: 'user',
        subject_id: user.id,
        data: { name: user.name, fields: [], password: 'set' },
      })
      notify('people')
      return ended
    })
    return `The new password of ${user.name} is ${password}\n${ended} sessions ended. It is shown once: hand it over. The sign-in asks for an own one.`
  },

  async 'user unlock'(services, [code, login]) {
    const { user, context } = await userOf(services, code, login)
    const ended = await context.transaction(async ({ db, recordEvent, notify }) => {
      await deleteFactors(db, user.id)
      const ended = await endSessionsOf(db, user.id, services.now())
      await recordEvent({ kind: 'user.second_factors_reset', subject: 'user', subject_id: user.id, data: { name: user.name } })
      notify('people')
      return ended
    })
    return `${user.name} signs in with the password alone. ${ended} sessions ended.`
  },

  async 'company list'({ database }) {
    const rows = await database.systemRead('the server lists companies of all operators', db =>
      db
        .selectFrom('companies as c')
        .innerJoin('operators as o', 'o.id', 'c.operator_id')
        .select(['o.name as operator', 'c.code', 'c.name', 'c.is_main'])
        .orderBy('o.id')
        .orderBy('c.is_main', 'desc')
        .orderBy('c.code')
        .execute(),
    )
    return table(
      ['operator', 'code', 'name', ''],
      rows.map(row => [row.operator, row.code, row.name, row.is_main ? 'main company' : '']),
    )
  },

  async 'company add'(services, [mainCode, code, name, login]) {
    if (!code || !name || !login) throw new AdminError(adminUsage)
    const fault = companyCode.safeParse(code).error?.issues[0]?.message
    if (fault !== undefined) throw new AdminError(fault)
    const main = await companyOf(services.database, mainCode)
    if (!main.is_main) throw new AdminError(`${main.code} is no main company.`)
    const password = newPassword()
    await addCompany(contextOf(services, main), {
      operator_id: main.operator_id,
      main_id: main.id,
      code,
      name,
      admin: { name: login, user_name: login, email: null, password_hash: await hashPassword(password) },
      at: services.now(),
      by: 'system',
    })
    return `The company ${code} exists. Its admin signs in as ${login}, chooses an own password, and has this one until then: ${password}`
  },

  async 'job list'({ database }, _, url) {
    const rows = await database.systemRead('the server lists jobs of all tenants', db =>
      db
        .selectFrom('jobs as j')
        .innerJoin('companies as c', join => join.onRef('c.operator_id', '=', 'j.operator_id').onRef('c.id', '=', 'j.company_id'))
        .select(['j.id', 'c.code', 'j.kind', 'j.state', 'j.done', 'j.total', 'j.message'])
        .orderBy(sql`j.state in ('queued', 'running')`, 'desc')
        .orderBy('j.id', 'desc')
        .limit(30)
        .execute(),
    )
    const tasks = await failedTasks(url)
    return [
      table(
        ['job', 'company', 'kind', 'state', 'done', 'message'],
        rows.map(row => [`${row.id}`, row.code, row.kind, row.state, `${row.done}/${row.total ?? '?'}`, row.message ?? '']),
      ),
      table(
        ['task', 'name', 'attempts', 'error'],
        tasks.map(task => [`${task.id}`, task.name, `${task.attempts}/${task.most_attempts}`, task.error.split('\n')[0] ?? '']),
      ),
    ].join('\n\n')
  },

  async 'job retry'(_, [id], url) {
    if (!(await retryTask(url, idOf(id)))) throw new AdminError(`There is no failed task ${id}, or it runs at this moment.`)
    return `The task ${id} runs again.`
  },

  async 'job cancel'(services, [word]) {
    const id = idOf(word)
    const job = await services.database.systemRead('the server finds the company of a job', db =>
      db
        .selectFrom('jobs as j')
        .innerJoin('companies as c', join => join.onRef('c.operator_id', '=', 'j.operator_id').onRef('c.id', '=', 'j.company_id'))
        .select(['c.operator_id', 'c.id', 'c.code', 'c.is_main'])
        .where('j.id', '=', id)
        .executeTakeFirst(),
    )
    if (!job) throw new AdminError(`There is no job ${id}.`)
    const state = await contextOf(services, job).transaction(async ({ db, recordEvent, notify }) => {
      const state = await cancelJob(db, id, services.now())
      if (state) {
        await recordEvent({ kind: 'job.cancel_asked', subject: 'job', subject_id: id })
        notify('job', id)
      }
      return state
    })
    if (!state) throw new AdminError(`The job ${id} has ended already.`)
    return state === 'cancelled' ? `The job ${id} is cancelled.` : `The job ${id} stops at its next step.`
  },

  async 'erasure list'(_services, _words, url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return JSON.stringify(await erasureRecords(client).finally(() => client.end()))
  },

  async 'session end'(services, [code, login]) {
    const company = await companyOf(services.database, code)
    const users = login === undefined ? await usersOf(services, company) : [(await userOf(services, code, login)).user]
    const ended = await contextOf(services, company).transaction(async ({ db, recordEvent, notify }) => {
      let all = 0
      for (const { id } of users) {
        const ended = await endSessionsOf(db, id, services.now())
        if (ended > 0) await recordEvent({ kind: 'user.sessions_ended', subject: 'user', subject_id: id, data: { ended } })
        all += ended
      }
      notify('people')
      return all
    })
    return `${ended} sessions ended.`
  },
}

/** Runs one command and answers what it prints. @throws {AdminError} for what was typed wrongly */
export async function runAdmin(services: Services, words: readonly string[], url: string): Promise<string> {
  const [area = '', verb = '', ...rest] = words
  const name = `${area} ${verb}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new AdminError(adminUsage)
  try {
    return await command(services, rest, url)
  } catch (error) {
    if (error instanceof AppError) throw new AdminError(error.message)
    throw error
  }
}

interface FoundCompany {
  operator_id: number
  id: number
  code: string
  is_main: boolean
}

async function companyOf(database: Services['database'], code: string | undefined): Promise<FoundCompany> {
  if (code === undefined) throw new AdminError(adminUsage)
  const company = await database.systemRead('the server finds a company by its code', db =>
    db.selectFrom('companies').select(['operator_id', 'id', 'code', 'is_main']).where('code', '=', code).executeTakeFirst(),
  )
  if (!company) throw new AdminError(`There is no company ${code}.`)
  return company
}

const contextOf = (services: Services, { operator_id, id }: FoundCompany): ExternalContext =>
  createSystemContext(services, { operator_id, company_id: id, companies: [id] })

const usersOf = (services: Services, company: FoundCompany) =>
  services.database.systemRead('the server finds the users of a company', db =>
    db
      .selectFrom('users')
      .select(['id', 'name', 'user_name', 'email', 'employee_no'])
      .where('operator_id', '=', company.operator_id)
      .where('company_id', '=', company.id)
      .where('removed_at', 'is', null)
      .execute(),
  )

async function userOf(services: Services, code: string | undefined, login: string | undefined) {
  if (login === undefined) throw new AdminError(adminUsage)
  const company = await companyOf(services.database, code)
  const typed = login.toLowerCase()
  const user = (await usersOf(services, company)).find(one =>
    [one.user_name, one.email, one.employee_no].some(name => name?.toLowerCase() === typed),
  )
  if (!user) throw new AdminError(`There is no user ${login} at ${company.code}.`)
  return { user, context: contextOf(services, company) }
}

function idOf(word: string | undefined): number {
  const id = Number(word)
  if (!Number.isSafeInteger(id) || id < 1) throw new AdminError(adminUsage)
  return id
}

/** Columns as wide as their widest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
