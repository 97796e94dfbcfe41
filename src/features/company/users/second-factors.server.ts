/** Second factors: the own ones, and what an administrator sees and resets. */
import { conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { endSessionsOf } from '#platform/auth/session-store.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { confirmPassword } from './own-password.server.ts'
import { standsAbove } from './permissions.rules.ts'
import {
  deleteFactors,
  deletePasskey,
  deleteTotp,
  insertChallenge,
  insertPasskey,
  openChallenge,
  renamePasskey,
  replaceRecoveryCodes,
  setTotp,
  useChallenge,
} from './second-factors.commands.ts'
import { secondFactors } from './second-factors.contract.ts'
import { factorsOf, passkeyCreation, siteOf, totpUri } from './second-factors.queries.ts'
import { secondFactorsSchemas } from './second-factors.schemas.ts'
import { codesOf, loginOf, userById } from './users.queries.ts'

export const secondFactorsServer = implement(secondFactors, secondFactorsSchemas, {
  mine: (_, { db, principal }) => factorsOf(db, principal.id),

  async startTotp({ body }, outside) {
    await confirmPassword(outside, body.password)
    const { principal } = outside
    return outside.transaction(async context => {
      const challenge_id = await insertChallenge(context, 'totp', principal.id)
      const { secret } = await openChallenge(context, 'totp', challenge_id, { counts: false })
      const login = loginOf(orNotFound(await userById(context.db, principal.id), 'user_not_found', 'User not found'))
      return { challenge_id, secret, uri: totpUri(secret, { company: principal.company.name, login }) }
    })
  },

  async confirmTotp({ body: { challenge_id, code } }, { transaction, principal }) {
    // A wrong code is counted, so its try is kept before it is judged.
    const challenge = await transaction(context => openChallenge(context, 'totp', challenge_id, { counts: true }))
    if (challenge.user_id !== principal.id) throw forbidden('code_wrong', 'Wrong code.')
    const recovery_codes = await transaction(async context => {
      const codes = await setTotp(context, principal.id, { secret: challenge.secret, code })
      await useChallenge(context, challenge.id)
      return codes
    })
    return { recovery_codes }
  },

  async newRecoveryCodes({ body }, outside) {
    await confirmPassword(outside, body.password)
    return { recovery_codes: await outside.transaction(context => replaceRecoveryCodes(context, outside.principal.id)) }
  },

  async removeTotp({ body }, outside) {
    await confirmPassword(outside, body.password)
    const { id } = outside.principal
    await outside.transaction(async context => {
      const { required, passkeys } = await lockedFactors(context, id)
      if (required && passkeys.length === 0) throw lastFactor()
      if (!(await deleteTotp(context.db, id))) throw conflict('totp_missing', 'No code app is set up.')
      await context.recordEvent({ kind: 'user.totp_removed', subject: 'user', subject_id: id })
      context.notify('user', id)
    })
  },

  async startPasskey({ body }, outside) {
    const site = siteOf(outside)
    await confirmPassword(outside, body.password)
    const { principal, services } = outside
    return outside.transaction(async context => {
      const user = orNotFound(await userById(context.db, principal.id), 'user_not_found', 'User not found')
      const token = await insertChallenge(context, 'new_passkey', principal.id)
      const options = await passkeyCreation(context.db, services.vault, site, {
        token,
        company: principal.company,
        user: { id: principal.id, name: user.name, login: loginOf(user) },
      })
      return { challenge_id: token, options }
    })
  },

  async addPasskey({ body: { challenge_id, name, passkey } }, { transaction, principal }) {
    const challenge = await transaction(context => openChallenge(context, 'new_passkey', challenge_id, { counts: true }))
    if (challenge.user_id !== principal.id) throw conflict('passkey_invalid', 'The passkey could not be checked. Try again.')
    return transaction(async context => {
      await useChallenge(context, challenge.id)
      return insertPasskey(context, { user_id: principal.id, token: challenge_id, name, passkey })
    })
  },

  async renamePasskey({ id, body: { name } }, { db, principal, notify }) {
    const renamed = await renamePasskey(db, { id, user_id: principal.id, name })
    notify('user', principal.id)
    return orNotFound(renamed, 'passkey_not_found', 'There is no such passkey')
  },

  async removePasskey({ id, body }, outside) {
    await confirmPassword(outside, body.password)
    const user_id = outside.principal.id
    await outside.transaction(async context => {
      const { required, totp_since, passkeys } = await lockedFactors(context, user_id)
      if (required && totp_since === null && passkeys.length === 1) throw lastFactor()
      if (!(await deletePasskey(context.db, { id, user_id }))) throw notFound('passkey_not_found', 'There is no such passkey')
      await context.recordEvent({ kind: 'user.passkey_removed', subject: 'user', subject_id: user_id })
      context.notify('user', user_id)
    })
  },

  async of({ id }, { db }) {
    orNotFound(await userById(db, id), 'user_not_found', 'User not found')
    return factorsOf(db, id)
  },

  async reset({ id }, { db, principal, recordEvent, notify, now }) {
    if (id === principal.id) throw conflict('own_factors_elsewhere', 'Change your own second factor in your own settings.')
    const user = orNotFound(await userById(db, id), 'user_not_found', 'User not found')
    // Who also knows the password could then act as this user.
    if (!standsAbove(principal.permissions, codesOf(user.effective)))
      throw forbidden('cannot_reset_factors', 'You can reset the second factor only of people who have no permission that you lack.')
    await deleteFactors(db, id)
    await endSessionsOf(db, id, now())
    await recordEvent({ kind: 'user.second_factors_reset', subject: 'user', subject_id: id, data: { name: user.name } })
    notify('user', id)
    notify('people')
  },
})

const lastFactor = () => conflict('last_factor', 'Your company asks for a second factor. Add another one before you remove this one.')

/** The factors of a user, of whom no other request removes one meanwhile. */
async function lockedFactors({ db }: Context, user_id: number) {
  await db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().executeTakeFirstOrThrow()
  return factorsOf(db, user_id)
}
