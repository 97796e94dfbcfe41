/** Invitations and forgotten passwords. */
import { conflict, forbidden, notFound, orNotFound, tooMany } from '#contract/errors.ts'
import { endSessionsOf } from '#platform/auth/session-store.ts'
import { checkPassword, hashPassword } from '#platform/crypto/vault.ts'
import { implement } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { loginAttempt, loginCandidates } from './logins.queries.ts'
import { newPasswordFault } from './new-password.server.ts'
import { makePasswordLink, usePasswordLink } from './password-links.commands.ts'
import { passwordLinks } from './password-links.contract.ts'
import { hasMailAccount, linkOfToken } from './password-links.queries.ts'
import { passwordLinksSchemas } from './password-links.schemas.ts'
import { standsAbove } from './permissions.rules.ts'
import { setPassword } from './users.commands.ts'
import { codesOf, loginOf, refuseFields, userById } from './users.queries.ts'

/** The token stands behind the sign #, so that browsers send it to no server and no log. */
export const passwordLinkPath = '/login/password#'

export const linkEnded = () =>
  notFound('password_link_ended', 'This link was used, was replaced by a newer one, or is older than 30 minutes. Ask for a new one.')

export const passwordLinksServer = implement(passwordLinks, passwordLinksSchemas, {
  async invite({ id }, context) {
    const { db, services, principal, notify } = context
    if (id === principal.id) throw conflict('own_password_elsewhere', 'Change your own password in your own settings')
    const user = orNotFound(await userById(db, id), 'user_not_found', 'User not found')
    if (user.kind === 'device') throw forbidden('device_account', 'This is for people: a device has no account of a person.')
    // Who sees the link can use it.
    if (!standsAbove(principal.permissions, codesOf(user.effective)))
      throw forbidden(
        'cannot_set_password',
        'You can set passwords only of people who have no permission that you lack: with their password you could act as them',
      )
    const { token, expires_at } = await makePasswordLink(context, id, 'invitation')
    notify('user', id)
    return {
      url: `${publicUrl(services, principal.company.code)}${passwordLinkPath}${token}`,
      expires_at,
      mailed_to: (await hasMailAccount(db, principal.company.id)) ? user.email : null,
    }
  },

  /** Known and unknown names are limited, answered and queued alike; the task finds out what the name means. */
  async forgotten({ body: { login } }, { transaction, services, principal: { company }, ip, now }) {
    await transaction(async ({ db, enqueue }) => {
      const candidates = await loginCandidates(db, login)
      const attempt = await loginAttempt(db, { company, login, candidates, ip, at: now() })
      // Counted apart from failures to sign in, so that asking for links keeps no one from signing in.
      const apart = (keys: readonly string[]) => keys.map(key => `link ${key}`)
      const seconds = await services.limits.beginLogin(
        { ...attempt, accounts: apart(attempt.accounts), familiar: apart(attempt.familiar), address: `link ${attempt.address}` },
        now().getTime(),
      )
      if (seconds > 0) throw tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds })
      await enqueue('users.forgotten_password', { login })
    })
  },

  async find({ body: { token } }, { db, now }) {
    const link = await linkOfToken(db, token, now())
    if (!link) throw linkEnded()
    const { name, purpose, expires_at } = link
    return { name, purpose, expires_at, login: loginOf(link) }
  },

  /** Not in one transaction: hashing a password must not hold a connection. */
  async setPassword({ body: { token, password } }, { transaction, services, principal: { company }, now }) {
    const link = await transaction(({ db }) => linkOfToken(db, token, now()))
    if (!link) throw linkEnded()
    const about = [link.name, link.user_name, link.email, link.employee_no, company.name, company.code].filter(text => text !== null)
    const fault = await newPasswordFault(services, password, about)
    if (fault) refuseFields({ password: fault })
    if (link.purpose === 'given' && (await checkPassword(password, link.password_hash)))
      refuseFields({ password: 'Choose another password than the one you were given' })
    const password_hash = await hashPassword(password)
    await transaction(async ({ db, recordEvent, notify }) => {
      if (!(await usePasswordLink(db, link.id, now()))) throw linkEnded()
      await setPassword(db, link.user_id, password_hash)
      await endSessionsOf(db, link.user_id, now())
      const { user_id, name } = link
      await recordEvent({ kind: 'user.changed', subject: 'user', subject_id: user_id, data: { name, password: 'set' } })
      notify('user', user_id)
      notify('people')
    })
    return { login: loginOf(link) }
  },
})

/** Mails a link to the one user whom the name means. Without such a user or an address nothing happens. */
export const mailForgottenPassword: Tasks['users.forgotten_password'] = ({ login }, { transaction }) =>
  transaction(async context => {
    const [user, another] = await loginCandidates(context.db, login)
    if (user?.email && !another) await makePasswordLink(context, user.id, 'forgotten')
  })
