/** Rules for creating, changing and removing users, and their sessions. */
import pg from 'pg'
import readWorkbook from 'read-excel-file/universal'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildUser, scopeOfCompany } from '#app/demo/builders.ts'
import { type Permission, permissionId } from '#contract/access.ts'
import { mySettings, startPageKey } from '#contract/my-settings.ts'
import { session } from '#contract/session.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { groups } from '../groups/groups.contract.ts'
import { users } from './users.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
const password = 'blue herons fly over Amager'
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: 'Key manager',
    user_name: 'manager',
    password,
    permissions: ['admin'],
  })
})
afterAll(() => testApp.close())

let count = 0
const ids = (...codes: Permission[]) => codes.map(permissionId)
const add = async (permissions: Permission[], by = admin) => {
  const user_name = `person${++count}`
  const { user } = await by.send(users.create, { body: { name: `Person ${count}`, user_name, permission: ids(...permissions), password } })
  // As after the first sign-in, which asks for an own one.
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('users').set({ password_given: false }).where('id', '=', user.user_id).execute(),
  )
  return user
}
const login = (login: string, secret = password) =>
  testApp.visitor(operator.main).send(session.login, { body: { login, password: secret } })
const signedIn = (token: string, of = admin): TestUser => ({
  ...of,
  token,
  ask: (call, input, options) => of.ask(call, input, { ...options, headers: { authorization: token } }),
  send: (call, input, options) => of.send(call, input, { ...options, headers: { authorization: token } }),
})

describe('a new user', () => {
  it('signs in with the own password', async () => {
    const user = await add(['scan'])
    expect((await login(user.user_name ?? '')).user).toMatchObject({ user_id: user.user_id, permission: ids('scan') })
  })

  it('gets a password that the server makes and shows once', async () => {
    const { password: made } = await admin.send(users.create, { body: { name: 'Kim Lund', email: 'Kim@Example.test' } })
    expect(made).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    await expect(login('kim@example.test', made ?? '')).rejects.toMatchObject({ code: 'own_password_needed' })
  })

  it('needs a login name', async () => {
    await expect(admin.send(users.create, { body: { name: 'No login' } })).rejects.toMatchObject({
      status: 422,
      fields: { user_name: expect.any(String) },
    })
  })

  it('cannot have the login of another user, ignoring case, and the error names the field', async () => {
    await admin.send(users.create, { body: { name: 'One', user_name: 'taken', email: 'taken@example.test', employee_no: 'A7' } })
    await expect(
      admin.send(users.create, { body: { name: 'Two', user_name: 'TAKEN', email: 'Taken@example.test', employee_no: 'A7' } }),
    ).rejects.toMatchObject({
      status: 422,
      fields: {
        user_name: 'Someone has this user name already',
        email: 'Someone has this e-mail address already',
        employee_no: 'Someone has this employee number already',
      },
    })
  })

  it('gets the next employee number, and numbers of removed people are not given again', async () => {
    const { employee_no } = await admin.send(users.nextEmployeeNo, {})
    const { user } = await admin.send(users.create, { body: { name: 'Numbered', employee_no } })
    await admin.send(users.remove, { id: user.user_id })
    expect(Number((await admin.send(users.nextEmployeeNo, {})).employee_no)).toBe(Number(employee_no) + 1)
  })

  it.each(['company_id', 'operator_id', 'password_hash', 'id', 'removed_at', 'image_file_id'])(
    'does not take %s from the request',
    async field => {
      const answer = await admin.ask(users.create, { body: { name: 'Mass', user_name: 'mass', [field]: 1 } })
      expect(answer.statusCode).toBe(400)
    },
  )

  it.each([
    ['short', 'short'],
    ['a repeated one', 'abcabcabcabcabcabc'],
    ['a keyboard row', 'qwertyuiopasdfghjkl'],
    ['a leaked one', 'Password123Password!'],
    ['the own name', 'kimlundkimlund2026'],
  ])('is refused %s password at the field', async (_, secret) => {
    await expect(admin.send(users.create, { body: { name: 'Kim Lund', user_name: 'kimlund', password: secret } })).rejects.toMatchObject({
      status: 422,
      fields: { password: expect.any(String) },
    })
  })
})

describe('permissions', () => {
  it('are given only by a user who holds them', async () => {
    const clerk = await operator.hire(['users_admin', 'parcels_admin'])
    const user = await add(['parcels'], clerk)
    for (const right of ['admin', 'settings_admin', 'scan'] as const)
      await expect(
        clerk.send(users.update, { id: user.user_id, body: { version: user.version, permission: ids('parcels', right) } }),
      ).rejects.toMatchObject({ status: 403, message: `You cannot give permissions that you do not have yourself: ${right}` })
    await expect(add(['admin'], clerk)).rejects.toMatchObject({ status: 403 })
    // The same holds for their own permissions.
    const me = await clerk.send(users.me, {})
    await expect(
      clerk.send(users.update, { id: clerk.user_id, body: { version: me.version, permission: ids('users_admin', 'admin') } }),
    ).rejects.toMatchObject({ status: 403 })
  })

  it('that a user has already stay when an editor without them edits the user', async () => {
    const user = await add(['scan'])
    const clerk = await operator.hire(['users_admin'])
    const { user: after } = await clerk.send(users.update, {
      id: user.user_id,
      body: { version: user.version, phone: '+45 11 22 33 44', permission: user.permission },
    })
    expect(after).toMatchObject({ phone: '+45 11 22 33 44', permission: ids('scan') })
  })

  it('take effect with the very next request of a session', async () => {
    const user = await add(['scan'])
    const worker = signedIn((await login(user.user_name ?? '')).token)
    await expect(worker.send(users.list, {})).rejects.toMatchObject({ status: 403 })
    const { user: after } = await admin.send(users.update, {
      id: user.user_id,
      body: { version: user.version, permission: ids('users_admin') },
    })
    await worker.send(users.list, {})
    await admin.send(users.update, { id: user.user_id, body: { version: after.version, permission: [] } })
    await expect(worker.send(users.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('are not cached from before a change by a request that runs at the same time', async () => {
    const user = await add(['users_admin'])
    const worker = signedIn((await login(user.user_name ?? '')).token)
    // After a minute a request records that the session is used; the change happens during that write.
    testApp.setNow(new Date(Date.now() + 90_000))
    const blocker = new pg.Client({ connectionString: testApp.url })
    await blocker.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select from sessions where user_id = $1 for update', [user.user_id])
      const met = worker.ask(users.list, {})
      await expect
        .poll(
          async () =>
            (await blocker.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount,
        )
        .toBe(1)
      await admin.send(users.update, { id: user.user_id, body: { version: user.version, permission: [] } })
      await blocker.query('rollback')
      await met
    } finally {
      await blocker.end()
    }
    await expect(worker.send(users.list, {})).rejects.toMatchObject({ status: 403 })
    testApp.setNow(undefined)
  })

  it('of an admin are changed by admins only, and so are the name, the password and the sessions', async () => {
    const boss = await add(['admin'])
    const clerk = await operator.hire(['users_admin'])
    const refused = { status: 403, message: 'Only an administrator can change or remove an administrator' }
    const id = boss.user_id
    await expect(clerk.send(users.update, { id, body: { version: boss.version, name: 'Mine' } })).rejects.toMatchObject(refused)
    await expect(clerk.send(users.update, { id, body: { version: boss.version, new_password: true } })).rejects.toMatchObject(refused)
    await expect(clerk.send(users.endSessions, { id })).rejects.toMatchObject(refused)
    await expect(clerk.send(users.remove, { id })).rejects.toMatchObject(refused)
    await expect(clerk.send(users.setImage, { id, upload: new Uint8Array(await dot()) } as never)).rejects.toMatchObject(refused)
  })

  it('cannot be bypassed: a password is set only by a user who holds all permissions of its owner', async () => {
    const lead = await add(['settings_admin'])
    const clerk = await operator.hire(['users_admin'])
    await expect(clerk.send(users.update, { id: lead.user_id, body: { version: lead.version, new_password: true } })).rejects.toMatchObject(
      {
        status: 403,
      },
    )
  })
})

describe('the last admin', () => {
  it('can neither be removed nor lose the permission, also when two users try at once', async () => {
    const alone = await testApp.operator()
    const one = await buildUser(testApp.services.database, scopeOfCompany(alone), {
      name: 'One',
      user_name: 'one',
      password,
      permissions: ['admin'],
    })
    const two = await buildUser(testApp.services.database, scopeOfCompany(alone), {
      name: 'Two',
      user_name: 'two',
      password,
      permissions: ['admin'],
    })
    // A user with the permission but without a password cannot sign in, and does not count.
    const boss = await alone.hire(['admin'])
    const answers = await Promise.all([boss.ask(users.remove, { id: one }), boss.ask(users.remove, { id: two })])
    expect(answers.map(answer => answer.statusCode).sort()).toEqual([204, 409])
    const left = answers[0]?.statusCode === 204 ? two : one
    const { version } = await boss.send(users.get, { id: left })
    await expect(boss.send(users.update, { id: left, body: { version, permission: [] } })).rejects.toMatchObject({
      status: 409,
      message: 'This is the last administrator of the company. Make someone else an administrator first.',
    })
  })
})

describe('changing a user', () => {
  it('with an old version is refused with the current state', async () => {
    const user = await add([])
    await admin.send(users.update, { id: user.user_id, body: { version: user.version, name: 'First' } })
    await expect(admin.send(users.update, { id: user.user_id, body: { version: user.version, name: 'Second' } })).rejects.toMatchObject({
      status: 409,
      current: { name: 'First', version: user.version + 1 },
    })
  })

  it('sets a new password, which ends all sessions at once', async () => {
    const user = await add(['scan'])
    const worker = signedIn((await login(user.user_name ?? '')).token)
    await worker.send(users.me, {})
    const { password: made } = await admin.send(users.update, { id: user.user_id, body: { version: user.version, new_password: true } })
    await expect(worker.send(users.me, {})).rejects.toMatchObject({ status: 401 })
    await expect(login(user.user_name ?? '')).rejects.toMatchObject({ status: 401 })
    await expect(login(user.user_name ?? '', made ?? '')).rejects.toMatchObject({ code: 'own_password_needed' })
  })

  it('is recorded with the permissions given and removed, and never with the password', async () => {
    const user = await add(['scan'])
    await admin.send(users.update, {
      id: user.user_id,
      body: { version: user.version, permission: ids('pick'), password: 'quiet tractors in Skagen' },
    })
    const event = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .selectFrom('events')
        .select(['kind', 'data', 'actor_name', 'actor_kind'])
        .where('subject_id', '=', user.user_id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    )
    expect(event).toMatchObject({
      kind: 'user.changed',
      actor_name: 'Astrid Holm',
      actor_kind: 'user',
      data: { given: ['pick'], taken: ['scan'], password: 'set' },
    })
    expect(JSON.stringify(event)).not.toContain('tractors')
  })

  it('answers 404 for a user of another company and of another operator', async () => {
    const shop = await operator.hire(['scan'], operator.shops[0])
    const other = await (await testApp.operator()).hire(['scan'])
    for (const id of [shop.user_id, other.user_id, 987_654_321]) {
      await expect(admin.send(users.get, { id })).rejects.toMatchObject({ status: 404 })
      await expect(admin.send(users.update, { id, body: { version: 1, name: 'Mine' } })).rejects.toMatchObject({ status: 404 })
      await expect(admin.send(users.remove, { id })).rejects.toMatchObject({ status: 404 })
      await expect(admin.send(users.endSessions, { id })).rejects.toMatchObject({ status: 404 })
      await expect(admin.send(users.image, { id })).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('removing a user', () => {
  it('ends the sessions at once and frees the login', async () => {
    const user = await add(['scan'])
    const { token } = await login(user.user_name ?? '')
    await admin.send(users.remove, { id: user.user_id })
    await expect(signedIn(token).send(users.me, {})).rejects.toMatchObject({ status: 401 })
    await expect(login(user.user_name ?? '')).rejects.toMatchObject({ status: 401 })
    await expect(admin.send(users.get, { id: user.user_id })).rejects.toMatchObject({ status: 404 })
    await admin.send(users.create, { body: { name: 'Again', user_name: user.user_name } })
  })

  it('is refused for the own account', async () => {
    await expect(admin.send(users.remove, { id: admin.user_id })).rejects.toMatchObject({ status: 409 })
  })
})

describe('the list', () => {
  it('finds users by every word of the search and by permission, with pages', async () => {
    await admin.send(users.create, { body: { name: 'Bodil Ærø Kjær', user_name: 'bodil', role: 'Picker', permission: ids('pick') } })
    const names = async (query: { query?: string; permission?: Permission; limit?: number; page?: number }) =>
      (await admin.send(users.list, query)).rows.map(row => row.name)
    expect(await names({ query: 'kjær bod' })).toEqual(['Bodil Ærø Kjær'])
    expect(await names({ query: 'kjær unknown' })).toEqual([])
    expect(await names({ query: '100%' })).toEqual([])
    expect(await names({ permission: 'pick', query: 'bodil' })).toEqual(['Bodil Ærø Kjær'])
    const all = await admin.send(users.list, { limit: 2, page: 2 })
    expect(all).toMatchObject({ offset: 2, limit: 2 })
    expect(all.total).toBeGreaterThan(3)
    expect((await admin.send(users.search, { q: 'bodil' })).map(user => user.name)).toEqual(['Bodil Ærø Kjær'])
  })

  it('is exported as a table without formulas', async () => {
    await admin.send(users.create, { body: { name: '=HYPERLINK("http://x","y")', user_name: 'formula', role: '@sum', phone: '+45 11' } })
    const { bytes, media_type } = (await admin.send(users.export, { query: 'formula' })) as { bytes: Buffer; media_type: string }
    const text = bytes.toString('utf8')
    expect(media_type).toBe('text/csv; charset=utf-8')
    expect(text.split(/[,\r\n]/).filter(cell => /^"?[=+\-@\t]/.test(cell))).toEqual([])
    expect(text).toContain(`'@sum`)
  })

  it('is exported as a workbook too, with groups and skills and without a secret', async () => {
    const { user } = await admin.send(users.create, {
      body: { name: 'Ulla Holm', user_name: 'ulla', skills: ['forklift'], password: 'The crane in the harbour 7' },
    })
    const { group_id } = await admin.send(groups.create, { name: 'Night team' })
    await admin.send(groups.addUser, { id: group_id, user_id: user.user_id })
    const answer = (await admin.send(users.export, { query: 'ulla', format: 'xlsx' })) as { bytes: Uint8Array; media_type: string }
    expect(answer.media_type).toContain('spreadsheetml')
    const [sheet] = await readWorkbook(new Blob([Uint8Array.from(answer.bytes)]))
    const [header = [], row = []] = sheet?.data ?? []
    const shown = Object.fromEntries(header.map((name, at) => [String(name), row[at]]))
    expect(shown).toMatchObject({ name: 'Ulla Holm', groups: 'Night team', skills: 'forklift' })
    expect(JSON.stringify(shown)).not.toMatch(/argon2|password/)
  })

  it('shows who cannot sign in, who is in no group, and the members of one group', async () => {
    const { user } = await admin.send(users.create, { body: { name: 'Vera Viewless', user_name: 'vera', no_password: true } })
    const { group_id } = await admin.send(groups.create, { name: 'Viewers' })
    const found = async (filter: { only?: 'no_sign_in' | 'groupless'; group_id?: number }) =>
      (await admin.send(users.list, { query: 'vera', ...filter })).rows.map(row => row.name)
    expect(await found({ only: 'no_sign_in' })).toEqual(['Vera Viewless'])
    expect(await found({ only: 'groupless' })).toEqual(['Vera Viewless'])
    expect(await found({ group_id })).toEqual([])
    await admin.send(groups.addUser, { id: group_id, user_id: user.user_id })
    expect(await found({ only: 'groupless' })).toEqual([])
    expect(await found({ group_id })).toEqual(['Vera Viewless'])
    expect(await admin.send(users.groups, {})).toContainEqual({ group_id, group_name: 'Viewers' })
    await admin.send(groups.removeUser, { id: group_id, user_id: user.user_id })
    expect((await admin.send(users.groups, {})).map(group => group.group_id)).not.toContain(group_id)
  })
})

const dot = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#14597a' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .toBuffer()

describe('a picture', () => {
  it('is re-encoded: small, upright and without camera metadata', async () => {
    const user = await add([])
    await admin.send(users.setImage, { id: user.user_id, upload: new Uint8Array(await dot()) } as never)
    const picture = await admin.send(users.image, { id: user.user_id })
    const bytes = picture.bytes as Buffer
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 400, height: 267 })
    expect(bytes.toString('latin1')).not.toContain('secret place')
    expect(await admin.send(users.get, { id: user.user_id })).toMatchObject({ has_image: true })
    await admin.send(users.removeImage, { id: user.user_id })
    await expect(admin.send(users.image, { id: user.user_id })).rejects.toMatchObject({ status: 404 })
  })

  it('is changed by the user, and by others only with the permission', async () => {
    const [one, other] = [await operator.hire(['scan']), await operator.hire(['scan'])]
    const upload = new Uint8Array(await dot())
    await one.send(users.setImage, { id: one.user_id, upload } as never)
    await expect(one.send(users.setImage, { id: other.user_id, upload } as never)).rejects.toMatchObject({ status: 403 })
    await expect(one.send(users.removeImage, { id: other.user_id })).rejects.toMatchObject({ status: 403 })
  })

  it('that is no image is refused with one sentence', async () => {
    await expect(
      admin.send(users.setImage, { id: admin.user_id, upload: new TextEncoder().encode('<html>') } as never),
    ).rejects.toMatchObject({ status: 400 })
  })
})

describe('the user’s own account', () => {
  it('stores settings key by key, up to a limit', async () => {
    const worker = await operator.hire(['scan'])
    await worker.send(mySettings.set, { body: { locale: 'sv_SE', settings: { theme: 'dark', columns: ['a'] } } })
    await worker.send(mySettings.set, { body: { settings: { columns: null, sound: 3 } } })
    expect(await worker.send(mySettings.get, {})).toEqual({ locale: 'sv_SE', settings: { theme: 'dark', sound: 3 } })
    await expect(worker.send(mySettings.set, { body: { settings: { big: 'x'.repeat(40_000) } } })).rejects.toMatchObject({
      status: 422,
    })
    expect(await worker.send(users.me, {})).toMatchObject({ user_id: worker.user_id, locale: 'sv_SE' })
  })

  it('names the chosen start page with the session, and none after it is taken back', async () => {
    const worker = await operator.hire(['scan'])
    const startPage = async () => (await worker.send(session.current, {})).user.start_page
    expect(await startPage()).toBeNull()
    await worker.send(mySettings.set, { body: { settings: { [startPageKey]: '/parcels/orders' } } })
    expect(await startPage()).toBe('/parcels/orders')
    await worker.send(mySettings.set, { body: { settings: { [startPageKey]: 'x'.repeat(5_000) } } })
    expect(await startPage()).toHaveLength(200)
    await worker.send(mySettings.set, { body: { settings: { [startPageKey]: null } } })
    expect(await startPage()).toBeNull()
  })

  it('cannot give itself permissions', async () => {
    const worker = await operator.hire(['scan'])
    expect((await worker.ask(mySettings.set, { body: { permission: [1] } })).statusCode).toBe(400)
    await expect(worker.send(users.update, { id: worker.user_id, body: { version: 1, permission: [1] } })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('shows its sessions, and ends one session or all the others', async () => {
    const user = await add(['scan'])
    const name = user.user_name ?? ''
    const [here, there, away] = [await login(name), await login(name), await login(name)].map(({ token }) => signedIn(token)) as [
      TestUser,
      TestUser,
      TestUser,
    ]
    const open = await here.send(users.mySessions, {})
    expect(open.map(one => one.current).filter(Boolean)).toHaveLength(1)
    expect(open).toHaveLength(3)
    const [theirs] = (await there.send(users.mySessions, {})).filter(one => one.current)
    await here.send(users.endMySession, { id: theirs?.id ?? 0 })
    await expect(there.send(users.me, {})).rejects.toMatchObject({ status: 401 })
    expect(await here.send(users.endMyOtherSessions, {})).toEqual({ ended: 1 })
    await expect(away.send(users.me, {})).rejects.toMatchObject({ status: 401 })
    await here.send(users.me, {})
  })

  it('cannot end the session of another user', async () => {
    const [one, other] = [await operator.hire(['scan']), await operator.hire(['scan'])]
    const [session] = await other.send(users.mySessions, {})
    await expect(one.send(users.endMySession, { id: session?.id ?? 0 })).rejects.toMatchObject({ status: 404 })
    await other.send(users.me, {})
  })

  it('gets another address only with the present password, because links for a forgotten password go there', async () => {
    const { user_id, user_name } = await add(['users_admin'])
    const here = signedIn((await login(user_name ?? '')).token)
    const change = async (fields: { email: string; current_password?: string }) => {
      const { version } = await here.send(users.get, { id: user_id })
      return here.send(users.update, { id: user_id, body: { version, ...fields } })
    }
    const email = 'taken-over@example.test'
    await expect(change({ email })).rejects.toMatchObject({ fields: { current_password: 'Confirm with your present password' } })
    await expect(change({ email, current_password: 'not it' })).rejects.toMatchObject({
      fields: { current_password: 'This is not your present password' },
    })
    expect((await change({ email, current_password: password })).user.email).toBe(email)
  })

  it('changes its password only with the present one, and keeps only this session', async () => {
    const user = await add(['scan'])
    const name = user.user_name ?? ''
    const [here, there] = [await login(name), await login(name)].map(({ token }) => signedIn(token)) as [TestUser, TestUser]
    const next = 'seven green bicycles at noon'
    await expect(here.send(users.setMyPassword, { body: { current: 'not it', password: next } })).rejects.toMatchObject({
      status: 422,
      fields: { current: 'This is not your present password' },
    })
    await expect(here.send(users.setMyPassword, { body: { current: password, password: 'too short' } })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    })
    expect(await here.send(users.setMyPassword, { body: { current: password, password: next } })).toEqual({ ended: 1 })
    await here.send(users.me, {})
    await expect(there.send(users.me, {})).rejects.toMatchObject({ status: 401 })
    await login(name, next)
  })

  it('is signed out everywhere by an admin', async () => {
    const user = await add(['scan'])
    const worker = signedIn((await login(user.user_name ?? '')).token)
    expect(await admin.send(users.sessions, { id: user.user_id })).toHaveLength(1)
    expect(await admin.send(users.endSessions, { id: user.user_id })).toEqual({ ended: 1 })
    await expect(worker.send(users.me, {})).rejects.toMatchObject({ status: 401 })
  })
})
