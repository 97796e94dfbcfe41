/** The form of an announcement: text in five languages, whom it is for, when, and how it looks to its readers. */
import { Alert, Button, Group, MultiSelect, Paper, Stack, Switch, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { type Locale, locales } from '#contract/limits.ts'
import { recordOf } from '#domain/objects.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { type Edit, Form, useEdit, useOpenWrong } from '#ui/kit/Form.tsx'
import { instant, instantOf, localOf } from '#ui/kit/format.ts'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { isLocale, localeNames, useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { AnnouncementText } from './AnnouncementText.tsx'
import { modeLabels } from './announcement.labels.tsx'
import { type AnnouncementMode, announcementModes } from './announcements.codes.ts'
import { announcements } from './announcements.contract.ts'
import { Announcement, AnnouncementFields } from './announcements.schemas.ts'

interface Values extends Record<string, unknown> {
  mode: AnnouncementMode
  everyone: boolean
  group_ids: number[]
  user_ids: number[]
  from_at: string
  to_at: string | null
  texts: Record<Locale, { title: string; body: string }>
  publish: boolean
}

const valuesOf = (of: Announcement | null): Values => ({
  mode: of?.mode ?? 'info',
  everyone: of?.everyone ?? true,
  group_ids: of?.groups.map(one => one.id) ?? [],
  user_ids: of?.people.map(one => one.id) ?? [],
  from_at: of?.from_at ?? new Date().toISOString(),
  to_at: of?.to_at ?? null,
  texts: recordOf(locales, locale => ({ title: of?.texts?.[locale]?.title ?? '', body: of?.texts?.[locale]?.body ?? '' })),
  publish: false,
})

interface Props {
  announcement: Announcement | null
  close: () => void
  refreshes: readonly Call[]
  /** The list shows what was saved. */
  saved: () => void
  remove?: (announcement: Announcement) => void
}

export function AnnouncementForm({ announcement, close, refreshes, saved, remove }: Props) {
  const t = useT()
  const { init } = useSignedIn()
  const company = init.settings.locale
  const [locale, setLocale] = useState<Locale>(company)
  const [preview, setPreview] = useState(false)
  const version = useRef(announcement?.version ?? 0)
  const client_id = useRef(crypto.randomUUID())
  const isDraft = announcement === null || announcement.phase === 'draft'
  const edit = useEdit({
    schema: AnnouncementFields,
    initial: valuesOf(announcement),
    save: values =>
      announcement
        ? send(announcements.update, { id: announcement.id, body: { ...values, version: version.current } })
        : send(announcements.create, { body: { ...values, client_id: client_id.current } }),
    refreshes,
    said: t('Announcement saved'),
    done: () => {
      saved()
      close()
    },
    conflict: {
      schema: Announcement,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { form, values } = edit
  const set = form.setFieldValue
  const isWrong = (one: Locale) => Object.keys(form.errors).some(field => field.startsWith(`texts.${one}.`))
  useOpenWrong(edit, locales.filter(isWrong), locale, setLocale)
  if (announcement?.phase === 'withdrawn')
    return (
      <Stack>
        <Alert color="gray">{t('This announcement was withdrawn. It can be read here, but not changed.')}</Alert>
        <AnnouncementText {...announcement.text} />
      </Stack>
    )
  const text = values.texts[locale]
  return (
    <Form
      edit={edit}
      cancel={close}
      action={isDraft ? (values.publish ? t('Publish') : t('Save draft')) : t('Save')}
      note={announcement && announcement.version_no > 0 ? t('Version {{number}}', { number: announcement.version_no }) : undefined}
      beside={
        announcement && remove ? (
          <Button variant="subtle" color="brick" onClick={() => remove(announcement)}>
            {isDraft ? t('Remove draft') : t('Withdraw')}
          </Button>
        ) : undefined
      }
    >
      <NativeChoice
        label={t('Kind')}
        description={t('For information is read once. What must be agreed to is asked again with each new text.')}
        data={announcementModes.map(value => ({ value, label: t(modeLabels[value]) }))}
        value={values.mode}
        choose={mode => set('mode', mode)}
      />
      <Tabs value={locale} onChange={value => value !== null && isLocale(value) && setLocale(value)} keepMounted={false}>
        <Tabs.List>
          {locales.map(one => (
            <Tabs.Tab key={one} value={one} {...(isWrong(one) && { c: 'brick' })}>
              {localeNames[one]}
              {values.texts[one].title === '' ? '' : ' ✓'}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={locale} pt="sm">
          <Stack gap="sm">
            <TextInput
              label={t('Title')}
              required={locale === company}
              {...(announcement === null && { 'data-autofocus': true })}
              {...form.getInputProps(`texts.${locale}.title`)}
            />
            <Textarea
              label={t('Text')}
              required={locale === company}
              description={
                locale === company
                  ? t('Needed. People without a text of their own language read this one.')
                  : t('Empty: people of this language read the text in the language of the company.')
              }
              autosize
              minRows={6}
              maxRows={18}
              {...form.getInputProps(`texts.${locale}.body`)}
            />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <Group>
        <Button variant="default" aria-expanded={preview} onClick={() => setPreview(!preview)}>
          {preview ? t('Hide preview') : t('Preview')}
        </Button>
      </Group>
      {preview ? (
        <Paper withBorder p="md">
          {text.title === '' && text.body === '' ? (
            <Text c="dimmed">{t('Nothing is written in this language.')}</Text>
          ) : (
            <AnnouncementText {...text} locale={locale} />
          )}
        </Paper>
      ) : null}
      <Audience edit={edit} of={announcement} />
      <Group grow align="start">
        <LocalTimeInput
          label={t('From')}
          value={values.from_at === '' ? '' : localOf(values.from_at)}
          error={form.errors.from_at}
          onChange={event => set('from_at', instantOf(event.currentTarget.value) ?? '')}
        />
        <LocalTimeInput
          label={t('Until')}
          description={t('Empty: without an end.')}
          value={values.to_at === null ? '' : localOf(values.to_at)}
          error={form.errors.to_at}
          onChange={event => set('to_at', instantOf(event.currentTarget.value))}
        />
      </Group>
      {isDraft ? (
        <Switch
          label={t('Publish')}
          description={t('People see it from the start of its period on, never in the middle of an order.')}
          {...edit.of('publish', 'checkbox')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {values.mode === 'must_agree'
            ? t('A changed text is a new version: everyone is asked to agree again.')
            : t('A changed text is a new version. Who has read it is not asked again.')}{' '}
          {announcement?.versions[0] ? t('Published {{at}}', { at: instant(announcement.versions[0].published_at) }) : ''}
        </Text>
      )}
    </Form>
  )
}

/** Whom it is for: everyone, or groups and single people. */
function Audience({ edit, of }: { edit: Edit<Values>; of: Announcement | null }) {
  const t = useT()
  const { form, values } = edit
  const known = useCall(groups.list, {}, { live: ['group'], enabled: !values.everyone })
  const people = useCall(groups.users, { limit: 500 }, { enabled: !values.everyone })
  // What was chosen before is named even where it is no longer offered.
  const named = (offered: readonly { id: number; name: string }[], chosen: readonly { id: number; name: string }[] = []) =>
    [...offered, ...chosen.filter(one => !offered.some(other => other.id === one.id))].map(one => ({
      value: String(one.id),
      label: one.name,
    }))
  return (
    <Stack gap="sm">
      <Switch label={t('For everyone in the company')} {...edit.of('everyone', 'checkbox')} />
      {values.everyone ? null : (
        <>
          <MultiSelect
            label={t('Groups')}
            data={named(
              (known.data ?? []).map(one => ({ id: one.group_id, name: one.group_name })),
              of?.groups,
            )}
            value={values.group_ids.map(String)}
            error={form.errors.group_ids}
            searchable
            clearable
            onChange={ids => form.setFieldValue('group_ids', ids.map(Number))}
          />
          <MultiSelect
            label={t('People')}
            data={named(
              (people.data?.rows ?? []).map(one => ({ id: one.user_id, name: one.name })),
              of?.people,
            )}
            value={values.user_ids.map(String)}
            error={form.errors.user_ids}
            searchable
            clearable
            limit={50}
            onChange={ids => form.setFieldValue('user_ids', ids.map(Number))}
          />
        </>
      )}
    </Stack>
  )
}
