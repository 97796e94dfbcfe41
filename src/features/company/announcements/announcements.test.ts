/** Announcements: whom they are shown to, which text counts, and who has agreed with it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mySettings } from '#contract/my-settings.ts'
import { elementAt } from '#domain/objects.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { announcements } from './announcements.contract.ts'
import { phaseOf, textFor, textsOf } from './announcements.rules.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { locale: 'en_GB' } })
  admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => testApp.close())

const english = { en_GB: { title: 'Fire exits', body: 'Keep them free.\nAlways.' } }
const hour = 3_600_000
const from = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const written = { mode: 'must_agree' as const, from_at: from(-1), texts: english }
const publish = (fields: object = {}) => admin.send(announcements.create, { body: { ...written, publish: true, ...fields } })
const waits = async (user: TestUser) => (await user.send(announcements.waiting, {})).map(one => one.id)
const agree = async (user: TestUser, id: number) => {
  const one = (await user.send(announcements.waiting, {})).find(waiting => waiting.id === id)
  if (!one) throw new Error('It does not wait')
  const { version_no, sha256, text } = one
  await user.send(announcements.agree, { id, body: { version_no, sha256, locale: text.locale } })
}

describe('the rules', () => {
  it('give a reader the own language, else that of the company, else English', () => {
    const texts = textsOf({ en_GB: { title: 'Hi', body: 'x' }, da_DK: { title: 'Hej', body: 'x' }, sv_SE: { title: '', body: '' } })
    expect(Object.keys(texts)).toEqual(['en_GB', 'da_DK'])
    expect(textFor(texts, 'da_DK', 'en_GB').title).toBe('Hej')
    expect(textFor(texts, 'sv_SE', 'da_DK').title).toBe('Hej')
    expect(textFor(texts, 'sv_SE', 'no_NO')).toEqual({ locale: 'en_GB', title: 'Hi', body: 'x' })
  })

  it('name what an announcement is at a moment', () => {
    const at = { state: 'published', from_at: '2026-11-10T08:00:00Z', to_at: '2026-11-12T08:00:00Z' }
    const phase = (now: string, more = {}) => phaseOf({ ...at, ...more }, new Date(now))
    expect(phase('2026-11-10T07:59:59Z')).toBe('planned')
    expect(phase('2026-11-10T08:00:00Z')).toBe('shown')
    expect(phase('2026-11-12T08:00:00Z')).toBe('ended')
    expect(phase('2026-12-12T08:00:00Z', { to_at: null })).toBe('shown')
    expect(phase('2026-11-11T08:00:00Z', { state: 'withdrawn' })).toBe('withdrawn')
  })
})

describe('an announcement', () => {
  it('is asked about until the person has agreed, and says who did and when', async () => {
    const kim = await operator.hire(['scan'], operator.main, 'Kim Lund')
    const draft = await admin.send(announcements.create, { body: written })
    expect(draft.phase).toBe('draft')
    expect(await waits(kim)).not.toContain(draft.id)
    expect((await kim.ask(announcements.get, { id: draft.id })).statusCode).toBe(404)
    const shown = await admin.send(announcements.update, { id: draft.id, body: { ...written, publish: true, version: draft.version } })
    expect(shown).toMatchObject({ phase: 'shown', version_no: 1, agreed: 0 })
    await agree(kim, draft.id)
    await expect(agree(kim, draft.id)).rejects.toThrow('It does not wait')
    expect((await kim.send(announcements.get, { id: draft.id })).my_agreement).not.toBeNull()
    expect((await admin.send(announcements.get, { id: draft.id })).agreed).toBe(1)
    const { rows } = await admin.send(announcements.readers, { id: draft.id, state: 'agreed' })
    expect(rows).toMatchObject([{ name: 'Kim Lund', version_no: 1, locale: 'en_GB', done: true, at: expect.any(String) }])
    const { bytes } = await admin.send(announcements.exportReaders, { id: draft.id, state: 'agreed' })
    expect(Buffer.from(bytes as Uint8Array).toString()).toContain('Fire exits,Kim Lund,true,1,')
  })

  it('with a changed text is a new version that is agreed with anew; a notice is read once', async () => {
    const kim = await operator.hire(['scan'])
    const rule = await publish()
    const notice = await publish({ mode: 'info' })
    const [old] = (await kim.send(announcements.waiting, {})).filter(one => one.id === rule.id)
    await agree(kim, rule.id)
    await agree(kim, notice.id)
    const texts = { en_GB: { title: 'Fire exits', body: 'Keep them free, and the way to them.' } }
    for (const { id, version, mode } of [rule, notice])
      expect(await admin.send(announcements.update, { id, body: { ...written, mode, texts, version } })).toMatchObject({ version_no: 2 })
    expect(await waits(kim)).toContain(rule.id)
    expect(await waits(kim)).not.toContain(notice.id)
    await expect(
      kim.send(announcements.agree, { id: rule.id, body: { version_no: 1, sha256: old?.sha256 ?? '', locale: 'en_GB' } }),
    ).rejects.toMatchObject({ code: 'announcement_version_old' })
    expect((await kim.send(announcements.get, { id: rule.id, version: 1 })).text.body).toBe('Keep them free.\nAlways.')
    const again = await admin.send(announcements.get, { id: rule.id })
    expect(again.versions.map(one => [one.no, one.published_by])).toEqual([
      [2, 'Astrid Holm'],
      [1, 'Astrid Holm'],
    ])
    // The period alone makes no version.
    const longer = { ...written, texts, to_at: from(48), version: again.version }
    expect((await admin.send(announcements.update, { id: rule.id, body: longer })).version_no).toBe(2)
    await expect(admin.send(announcements.update, { id: rule.id, body: longer })).rejects.toMatchObject({ code: 'settings_changed' })
  })

  it('is for everyone, for people, or for the members of groups', async () => {
    const kim = await operator.hire(['scan'])
    const mette = await operator.hire(['scan'])
    const group = await admin.send(groups.create, { name: `Night ${randomUUID()}` })
    await admin.send(groups.addUser, { id: group.group_id, user_id: kim.user_id })
    const forGroup = await publish({ everyone: false, group_ids: [group.group_id] })
    const forMette = await publish({ everyone: false, user_ids: [mette.user_id] })
    expect(forGroup).toMatchObject({ asked: 1, groups: [{ id: group.group_id }] })
    expect(await waits(kim)).toContain(forGroup.id)
    expect(await waits(kim)).not.toContain(forMette.id)
    expect(await waits(mette)).toContain(forMette.id)
    expect((await mette.ask(announcements.get, { id: forGroup.id })).statusCode).toBe(404)
    const answer = await mette.ask(announcements.agree, {
      id: forGroup.id,
      body: { version_no: 1, sha256: '0'.repeat(64), locale: 'en_GB' },
    })
    expect(answer.statusCode).toBe(404)
    await admin.send(groups.removeUser, { id: group.group_id, user_id: kim.user_id })
    expect(await waits(kim)).not.toContain(forGroup.id)
    const listed = (await mette.send(announcements.list, {})).rows.find(one => one.id === forMette.id)
    expect(listed).toMatchObject({ asked: null, agreed: null, people: [] })
  })

  it('is shown in its period only, first what must be agreed with', async () => {
    const kim = await operator.hire(['scan'])
    const later = await publish({ from_at: from(2) })
    const over = await publish({ from_at: from(-3), to_at: from(-1) })
    const notice = await publish({ mode: 'info', from_at: from(-9) })
    const rule = await publish()
    const ids = await waits(kim)
    expect(ids).not.toContain(later.id)
    expect(ids).not.toContain(over.id)
    expect(ids.indexOf(rule.id)).toBeLessThan(ids.indexOf(notice.id))
    const phases = await Promise.all(
      (['planned', 'ended'] as const).map(async phase => (await admin.send(announcements.list, { phase })).rows.map(one => one.id)),
    )
    expect(phases).toEqual([[later.id], [over.id]])
  })

  it('speaks the language of its reader', async () => {
    const kim = await operator.hire(['scan'])
    await kim.send(mySettings.set, { body: { locale: 'da_DK' } })
    const { id } = await publish({ texts: { ...english, da_DK: { title: 'Nødudgange', body: 'Hold dem fri.' } } })
    expect((await kim.send(announcements.waiting, {})).find(one => one.id === id)?.text).toEqual({
      locale: 'da_DK',
      title: 'Nødudgange',
      body: 'Hold dem fri.',
    })
  })

  it('that was published is withdrawn and keeps who agreed; a draft is removed', async () => {
    const kim = await operator.hire(['scan'])
    const { id } = await publish()
    await agree(kim, id)
    for (const _ of [1, 2]) await admin.send(announcements.remove, { id })
    expect(await admin.send(announcements.get, { id })).toMatchObject({ phase: 'withdrawn', agreed: 1 })
    expect((await kim.ask(announcements.get, { id })).statusCode).toBe(404)
    await expect(admin.send(announcements.update, { id, body: { ...written, version: 2 } })).rejects.toMatchObject({
      code: 'announcement_withdrawn',
    })
    const draft = await admin.send(announcements.create, { body: written })
    for (const _ of [1, 2]) await admin.send(announcements.remove, { id: draft.id })
    expect((await admin.ask(announcements.get, { id: draft.id })).statusCode).toBe(404)
  })

  it('is made once when a client sends it twice', async () => {
    const body = { ...written, client_id: randomUUID() }
    const first = await admin.send(announcements.create, { body })
    expect((await admin.send(announcements.create, { body })).id).toBe(first.id)
  })

  it('names in place what is missing', async () => {
    const wrong = async (fields: object) =>
      Object.keys((await admin.ask(announcements.create, { body: { ...written, ...fields } })).json().fields ?? {})
    expect(await wrong({ texts: { da_DK: { title: 'Kun dansk', body: 'Tekst' } } })).toEqual(['texts.en_GB.title', 'texts.en_GB.body'])
    expect(await wrong({ texts: { ...english, sv_SE: { title: 'Bara titel', body: '' } } })).toEqual(['texts.sv_SE.body'])
    expect(await wrong({ everyone: false })).toEqual(['group_ids'])
    expect(await wrong({ to_at: from(-5) })).toEqual(['to_at'])
    expect(await wrong({ everyone: false, user_ids: [999_999_999] })).toEqual(['user_ids'])
  })

  it('is searched, filtered, sorted and exported', async () => {
    const mark = randomUUID().slice(0, 8)
    const titled = (title: string) => ({ texts: { en_GB: { title: `${title} ${mark}`, body: 'x' } } })
    await publish(titled('Beta'))
    await publish({ ...titled('Alfa'), mode: 'info' })
    const titles = async (question: object) =>
      (await admin.send(announcements.list, { query: mark, ...question })).rows.map(row => row.title.split(' ')[0])
    expect(await titles({ sort: 'title' })).toEqual(['Alfa', 'Beta'])
    expect(await titles({ sort: '-title' })).toEqual(['Beta', 'Alfa'])
    expect(await titles({ mode: 'info' })).toEqual(['Alfa'])
    expect(await titles({ sort: 'title', page: 2, limit: 1 })).toEqual(['Beta'])
    const { bytes } = await admin.send(announcements.export, { query: mark })
    expect(
      Buffer.from(bytes as Uint8Array)
        .toString()
        .trim()
        .split('\r\n'),
    ).toHaveLength(3)
  })

  it('is written by those with the settings, and stays in its company', async () => {
    const packer = await operator.hire(['scan', 'users_admin'])
    expect((await packer.ask(announcements.create, { body: written })).statusCode).toBe(403)
    const { id } = await publish()
    const shop = await operator.hire(['admin'], elementAt(operator.shops, 0))
    expect(await waits(shop)).toEqual([])
    for (const call of [announcements.get, announcements.readers]) expect((await shop.ask(call, { id })).statusCode).toBe(404)
  })
})

describe('a reminder', () => {
  it('goes by mail to those who have not agreed, once an hour, and only where the company sends mails', async () => {
    const office = await testApp.operator()
    const boss = await office.hire(['admin'])
    const kim = await office.hire(['scan'])
    const mette = await office.hire(['scan'])
    const { id } = await boss.send(announcements.create, {
      body: { ...written, texts: { ...english, da_DK: english.en_GB }, publish: true },
    })
    await expect(boss.send(announcements.remind, { id })).rejects.toMatchObject({ code: 'no_mail_account' })
    await testApp.services.database.transaction(
      { operator_id: office.operator_id, company_id: office.main.id, companies: [office.main.id] },
      async db => {
        await db
          .insertInto('outbox_destinations')
          .values({ kind: 'mail', events: ['user.announcement_reminder'] })
          .execute()
        for (const { user_id } of [kim, mette])
          await db
            .updateTable('users')
            .set({ email: `${user_id}@example.test` })
            .where('id', '=', user_id)
            .execute()
        await db.updateTable('users').set({ email: null }).where('id', '=', boss.user_id).execute()
      },
    )
    await agree(mette, id)
    expect(await boss.send(announcements.remind, { id })).toEqual({ reminded: 1, without_email: 1 })
    const outbox = await testApp.services.database.readOnly(
      { operator_id: office.operator_id, company_id: office.main.id, companies: [office.main.id] },
      db => db.selectFrom('outbox').select(['object_id', 'payload']).where('kind', '=', 'user.announcement_reminder').execute(),
    )
    expect(outbox).toEqual([{ object_id: kim.user_id, payload: { announcement_id: id } }])
    await expect(boss.send(announcements.remind, { id })).rejects.toMatchObject({ code: 'announcement_reminded' })
  })
})
