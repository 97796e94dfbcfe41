/** The server of a simulated warehouse: started, killed at a point, started again; its calls, its queue and its schedules, step by step. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, createApp } from '#app/create-app.ts'
import { schedules, tasks } from '#app/features.ts'
import type { Permission } from '#contract/access.ts'
import type { Call, RequestInput, ResponseOutput } from '#contract/endpoint.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import type { Chance } from '#optimization/random/seeded-random.ts'
import { anonymous } from '#platform/auth/identity.ts'
import { readConfig } from '#platform/config.ts'
import { createContext } from '#platform/http/context.ts'
import type { JobOrigin } from '#platform/http/feature-module.ts'
import type { Task } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { type BuiltCompany, type BuiltOperator, buildOperator } from '../../src/app/demo/builders.ts'
import { sender } from '../sender.ts'
import { dropDatabase, hireUser, onRoot, replies, request } from '../test-app.ts'
import { type Outside, openOutside } from './day-outside.ts'
import { type DatabaseFaults, failingDatabase } from './failing-database.ts'
import { createStepper, type Life, type Stepper } from './stepper.ts'
import { installClock, morning, realTime, setClock, withoutDeadlines } from './virtual-clock.ts'

/** No answer came: the server died, or the answer was lost on its way. */
class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export interface Person {
  name: string
  company: BuiltCompany
  token: string
}

interface Answered<C extends Call> {
  status: number
  /** Undefined where the call was refused. */
  body: ResponseOutput<C> | undefined
  /** The code of the refusal. */
  code: string
}

export interface Day {
  stepper: Stepper
  operator: BuiltOperator
  outside: Outside
  /** Outside of the server, as its owner sees the tables. */
  rows<T extends object>(text: string, values?: unknown[]): Promise<T[]>
  hire(name: string, permissions: readonly Permission[], company?: BuiltCompany): Promise<Person>
  /** One attempt of a client. */
  ask<C extends Call>(who: Person, call: C, input: RequestInput<C>): Promise<Answered<C>>
  /** Asks until an answer comes: clients send the same again. */
  insist<C extends Call>(who: Person, call: C, input: RequestInput<C>): Promise<Answered<C>>
  /** Takes up one due job of the queue; false where none is due. */
  workOnce(): Promise<boolean>
  runSchedule(schedule: ScheduledTask): Promise<void>
  schedules: readonly ScheduledTask[]
  /** From now on things fail. */
  begin(faults: DatabaseFaults): void
  /** Nothing fails any more. */
  calm(): void
  uuid(): string
  close(): Promise<void>
}

export const faultsOfDay: DatabaseFaults = { death: 0.0015, broken: 0.004, unconfirmed: 0.004, forgotten: 0 }
const noFaults: DatabaseFaults = { death: 0, broken: 0, unconfirmed: 0, forgotten: 0 }
/** Share of the answers that are lost between server and client. */
const lostAnswers = 0.02

/** Bound by real time or by the world outside: they say nothing of a day. */
const leftOut = new Set([
  'fetch reference rates',
  'renew partitions by month',
  'gather statistics of young tables',
  'send deliveries',
  'read parcel shops',
  'read the methods of accounts',
  'send messages',
])
const tasksLeftOut = new Set(['pick_lists.improve'])

const templates = new Map<string, Promise<string>>()
/** A migrated database with the clock of a simulation, made once in a run. */
function templateOf(root: string): Promise<string> {
  const known = templates.get(root)
  if (known) return known
  const name = `template_day_${randomUUID().replaceAll('-', '')}`
  const made = (async () => {
    await onRoot(root, `create database ${name} template template_pakhus strategy file_copy`)
    await installClock(root.replace(/\/[^/]*$/, `/${name}`))
    return name
  })()
  templates.set(root, made)
  return made
}

function uuidOf(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => chance.below(16).toString(16))
  digits[12] = '4'
  digits[16] = '8'
  const text = digits.join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

export async function openDay(seed: number, shops: number): Promise<Day> {
  const root = inject('database')
  const template = await templateOf(root)
  const name = `day_${randomUUID().replaceAll('-', '')}`
  await onRoot(root, `create database ${name} template ${template}`)
  await onRoot(root, `alter database ${name} set search_path = simulation, pg_catalog, public`)
  const url = root.replace(/\/[^/]*$/, `/${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'pakhus-day-'))
  const eye = new pg.Client({ connectionString: url })
  await eye.connect()
  let faults = noFaults
  let server: App

  const stepper: Stepper = createStepper({
    seed,
    start: morning,
    async onTime(at) {
      outside.arriveLate(at)
      await setClock(eye, at)
    },
    async onDeath(next) {
      await server.close()
      server = await start(next)
    },
  })
  const outside = openOutside(stepper, { quiet: () => faults === noFaults, deadly: () => faults.death })
  // Pauses between attempts and names of unfinished files draw from it: both are the same in each run.
  const { random } = Math
  Math.random = () => (stepper.hasActor() ? stepper.chanceOfActor().next() : random())

  const restoreDeadlines = withoutDeadlines(stepper.hasActor)
  const start = (life: Life) =>
    createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' }), url, {
      now: stepper.now,
      patience: 600_000,
      through: database => failingDatabase(database, { stepper, life, root: eye, faults: () => faults }),
    })
  server = await start(stepper.life())
  const settings = { packing_ip_pattern: '127\\.0\\.0\\.1', sender }
  const operator = await buildOperator(server.services.database, {
    name: `Day ${seed}`,
    main: { code: 'main', name: 'Main', settings },
    shops: Array.from({ length: shops }, (_, i) => ({ code: `shop${i + 1}`, name: `Shop ${i + 1}`, settings })),
  })

  async function ask<C extends Call>(who: Person, call: C, input: RequestInput<C>): Promise<Answered<C>> {
    if (stepper.hasActor()) await stepper.pause(call.line)
    const life = stepper.life()
    const response = await request(server, who.company, who.token, call, input)
    const body = response.headers['content-type']?.toString().startsWith('application/json') ? response.json() : undefined
    if (life.dead) throw new NoAnswer()
    const { statusCode: status } = response
    stepper.note(`${stepper.actorName()} – ${call.line}: ${status} ${shown(body)}`)
    if (status >= 500 && status !== 503) throw new Error(`${call.line}: ${status} ${response.body}`)
    if (stepper.hasActor() && faults !== noFaults && stepper.chanceOfActor().next() < lostAnswers) {
      stepper.note(`${stepper.actorName()} – this answer is lost`)
      throw new NoAnswer()
    }
    if (status >= 400) return { status, body: undefined, code: String((body as { code?: string } | undefined)?.code ?? '') }
    return { status, body: (call.media ? undefined : replies.get(call.line)?.parse(body)) as ResponseOutput<C> | undefined, code: '' }
  }

  async function workOnce(): Promise<boolean> {
    const [job] = await rows<{ id: string; name: string; payload: { carried: JobOrigin }; attempts: number; max_attempts: number }>(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'simulation', attempts = attempts + 1 where id = (
        select j.id from graphile_worker._private_jobs j where j.locked_at is null and j.attempts < j.max_attempts
          and (j.run_at <= $1 or j.run_at > $2)
          and not exists (select from graphile_worker._private_jobs o where o.job_queue_id = j.job_queue_id and o.locked_at is not null)
        order by j.priority, j.id limit 1)
      returning id, (select identifier from graphile_worker._private_tasks t where t.id = task_id) as name, payload, attempts, max_attempts`,
      [stepper.now().toISOString(), realTime],
    )
    if (!job) return false
    const life = stepper.life()
    const { carried, ...own } = job.payload
    const { operator_id, company_id, companies } = carried
    const company = { operator_id, id: company_id, code: '', name: '', is_main: companies.length > 1, packing_ip_pattern: '' }
    const person = { ...anonymous(company), id: carried.user_id, name: carried.user_name, operatorCompanies: companies }
    const outer = createContext(
      server.services,
      person,
      { operator_id, company_id, companies },
      {
        ip: '',
        station: carried.station,
        headers: {},
        signal: server.services.closing,
      },
    )
    const task = (tasks as unknown as Record<string, Task<object>>)[job.name]
    try {
      if (!tasksLeftOut.has(job.name)) await task?.(own, { ...outer, last_try: job.attempts >= job.max_attempts })
      if (life.dead) throw new NoAnswer()
      await rows('delete from graphile_worker._private_jobs where id = $1', [job.id])
      stepper.note(`${stepper.actorName()} – ${job.name}: done`)
    } catch (error) {
      // Another server frees the jobs of a dead one; a living one tries again later.
      const later = life.dead ? 0 : Math.round(Math.exp(Math.min(10, job.attempts)) * 1_000)
      stepper.note(`${stepper.actorName()} – ${job.name}: ${life.dead ? 'its server died' : `failed, again in ${later} ms`}`)
      await rows(
        `update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = $2, attempts = attempts - $3 where id = $1`,
        [job.id, new Date(stepper.now().getTime() + later).toISOString(), life.dead ? 1 : 0],
      )
      if (!life.dead && process.env.DAY_ERRORS) console.info(job.name, error)
    }
    return true
  }

  async function rows<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await eye.query<T>(text, values)).rows
  }

  return {
    stepper,
    operator,
    outside,
    rows,
    async hire(person, permissions, company = operator.main) {
      const { token } = await hireUser(server.services.database, operator, { permissions, company, name: person })
      return { name: person, company, token }
    },
    ask,
    async insist(who, call, input) {
      for (let attempt = 1; attempt < 60; attempt++) {
        const answer = await ask(who, call, input).catch((error: unknown) => {
          if (error instanceof NoAnswer) return undefined
          throw error
        })
        if (answer && answer.status !== 503 && answer.status !== 429 && !(answer.status === 409 && answer.code === 'busy')) return answer
        await stepper.pause('waits to ask again', 2)
      }
      throw new Error(`${call.line} was never answered`)
    },
    workOnce,
    schedules: [
      ...schedules.filter(({ name }) => !leftOut.has(name)),
      {
        name: 'send deliveries',
        seconds: 1,
        run: services =>
          sendDeliveries(services, {
            webhook: async delivery =>
              outside.receive({
                event_id: String(delivery.outbox_id),
                object: `${delivery.object_type} ${delivery.object_id}`,
                seq: delivery.seq,
              }),
          }),
      },
    ],
    async runSchedule(schedule) {
      const life = stepper.life()
      await stepper
        .whole(() => schedule.run(server.services))
        .catch((error: unknown) => {
          if (!life.dead) stepper.note(`the schedule ${schedule.name} failed: ${error instanceof Error ? error.name : ''}`)
        })
    },
    calm() {
      faults = noFaults
    },
    uuid: () => uuidOf(stepper.hasActor() ? stepper.chanceOfActor() : stepper.chance),
    begin(some) {
      faults = some
    },
    async close() {
      Math.random = random
      restoreDeadlines()
      outside.close()
      await server.close()
      await eye.end()
      await dropDatabase(root, name)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What an answer came to, without anything that differs between two runs. */
function shown(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const { code, outcome, result, state } = body as Record<string, unknown>
  return [code, outcome, result, state].filter(one => typeof one === 'string').join(' ')
}
