/** A database for one life of a server: one access at a time, points before and after each change, and connections that break. */
import { sql } from 'kysely'
import type pg from 'pg'
import { CommitInDoubtError, type Database, type Db } from '#platform/database/database.ts'
import { Died, type Life, type Stepper } from './stepper.ts'

/** Shares of the changes. */
export interface DatabaseFaults {
  /** The server dies at a point. */
  death: number
  /** The connection breaks before the commit. */
  broken: number
  /** The commit is kept, and its answer is lost. */
  unconfirmed: number
  /** The commit is confirmed and not kept: no database does so, and a day must see it. */
  forgotten: number
}

/** Undoes a change that is answered all the same. */
class Forgotten extends Error {}

/** Is asked when a change begins; what it answers is done before the commit. */
type Between<T> = (db: Db) => Promise<((answer: T) => Promise<void>) | undefined>

export function failingDatabase(
  database: Database,
  { stepper, life, root, faults }: { stepper: Stepper; life: Life; root: pg.Client; faults: () => DatabaseFaults },
): Database {
  let last: Promise<unknown> = Promise.resolve()
  /** Accesses of code that runs several at once come one after the other, so that their order is the same each time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (life.dead) return Promise.reject(new Died())
    const mine = last.then(() => {
      if (life.dead) throw new Died()
      return work()
    })
    last = mine.catch(() => undefined)
    return mine
  }
  const draws = (share: number) => stepper.hasActor() && share > 0 && stepper.chanceOfActor().next() < share

  async function change<T>(what: string, run: (between: Between<T>) => Promise<T>): Promise<T> {
    if (!stepper.hasActor()) return inTurn(() => run(async () => undefined))
    const { death, broken, unconfirmed, forgotten } = faults()
    const point = (name: string) => {
      const here = () => stepper.point(name, life, () => draws(death))
      // What the system writes beside the work of people is no place to wait.
      return what === 'transaction' ? here() : stepper.whole(here)
    }
    await point(`before a ${what}`)
    const breaks = draws(broken)
    const lost = draws(unconfirmed)
    const dies = draws(death)
    const forgets = draws(forgotten)
    let made: { answer: T } | undefined
    const answer = await inTurn(() =>
      stepper.whole(() =>
        run(async db => {
          if (breaks) {
            // Asked first: the last statement of a change may carry the commit.
            const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db)
            stepper.note(`${stepper.actorName()} – the connection breaks in a ${what}`)
            return async () => void (await root.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]))
          }
          if (forgets)
            return async answer => {
              made = { answer }
              throw new Forgotten()
            }
          if (!dies) return undefined
          return () => stepper.point(`inside a ${what}`, life, () => true)
        }).catch((error: unknown) => {
          if (error instanceof Forgotten && made) return made.answer
          throw error
        }),
      ),
    )
    await point(`after a ${what}`)
    if (!lost) return answer
    stepper.note(`${stepper.actorName()} – the answer to a commit is lost`)
    throw new CommitInDoubtError('The commit was not confirmed')
  }

  const ending =
    <T>(work: (db: Db) => Promise<T>, between: Between<T>) =>
    async (db: Db): Promise<T> => {
      const end = await between(db)
      const answer = await work(db)
      await end?.(answer)
      return answer
    }

  return {
    ...database,
    transaction: (scope, work) => change('transaction', between => database.transaction(scope, ending(work, between))),
    systemTransaction: (why, work) => change('system transaction', between => database.systemTransaction(why, ending(work, between))),
    readOnly: (scope, work) => inTurn(() => stepper.whole(() => database.readOnly(scope, work))),
    systemRead: (why, work) => inTurn(() => stepper.whole(() => database.systemRead(why, work))),
    ownerTransaction: work => inTurn(() => database.ownerTransaction(work)),
  }
}
