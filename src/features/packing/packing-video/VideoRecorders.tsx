/** The keys of recorders: which cameras film which stations, shown once, and replaced without a gap. */
import { ActionIcon, Autocomplete, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type * as z from 'zod'
import { stations } from '#features/printing/stations/stations.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { addressOf, Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { mostKeys } from './packing-video.codes.ts'
import { packingVideo } from './packing-video.contract.ts'
import { packingVideoSchemas, type Recorder } from './packing-video.schemas.ts'
import style from './VideoRecorders.module.css'

/** What the drawer shows: a new key, a copy that replaces one, or a recorder that is changed. */
type Asked = { kind: 'new' } | { kind: 'replace' | 'change'; recorder: Recorder }

export function VideoRecorders() {
  const t = useT()
  const list = useCall(packingVideo.recorders, {}, { live: ['video'], every: 60_000 })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<{ key: string; replaced: boolean } | null>(null)
  const { mutate: revoke } = useSend(packingVideo.revokeRecorder, {
    refreshes: [packingVideo.recorders],
    said: t('The key is revoked: it opens nothing any more'),
  })
  const askToRevoke = async ({ id, name, prefix }: Recorder) => {
    const body = t('{{name}} ({{prefix}}…) can deliver no more videos, also not those it is sending now.', { name, prefix })
    if (await confirm({ title: t('Revoke this key?'), body, action: t('Revoke key'), danger: true })) revoke({ id })
  }
  return (
    <SettingsSection
      title={t('Recorders')}
      help={t('A program beside the recorder of the cameras asks for the times of packed orders and sends their videos with a key.')}
    >
      <QueryState of={list} shape="rows">
        {({ keys }) => (
          <Stack gap="md">
            {keys.length === 0 ? (
              <Text c="dimmed">{t('There is no recorder. Stations can still film with their own cameras.')}</Text>
            ) : null}
            {keys.map(recorder => (
              <section key={recorder.id} className={style.recorder} aria-label={recorder.name}>
                <Group justify="space-between" wrap="nowrap" align="flex-start">
                  <div>
                    <Text fw={600}>{recorder.name}</Text>
                    <Text size="sm" c="dimmed">
                      <code>{recorder.prefix}…</code> · {t('created by {{name}}', { name: recorder.created_by_name })},{' '}
                      <RelativeTime at={recorder.created_at} as="day" />
                    </Text>
                    <Text size="sm">
                      {recorder.last_seen_at ? (
                        <>
                          {t('Last contact')}: <RelativeTime at={recorder.last_seen_at} as="age" />
                        </>
                      ) : (
                        t('No contact yet')
                      )}
                    </Text>
                  </div>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-sm" variant="default" onClick={() => setAsked({ kind: 'change', recorder })}>
                      {t('Edit')}
                    </Button>
                    {keys.length < mostKeys ? (
                      <Button size="compact-sm" variant="default" onClick={() => setAsked({ kind: 'replace', recorder })}>
                        {t('Replace key')}
                      </Button>
                    ) : null}
                    <Button size="compact-sm" variant="subtle" color="brick" onClick={() => void askToRevoke(recorder)}>
                      {t('Revoke')}
                    </Button>
                  </Group>
                </Group>
                {recorder.channels.length === 0 ? (
                  <Text size="sm" c="var(--soon)">
                    {t('It films no station yet.')}
                  </Text>
                ) : (
                  <ul className={style.channels}>
                    {recorder.channels.map(({ station, channel }) => (
                      <li key={channel}>{t('Channel {{channel}} films {{station}}', { channel, station })}</li>
                    ))}
                  </ul>
                )}
              </section>
            ))}
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                {...disabledBecause(keys.length >= mostKeys && t('There are {{count}} already', { count: mostKeys }))}
                onClick={() => setAsked({ kind: 'new' })}
              >
                {t('Add recorder')}
              </Button>
              {keys.length >= mostKeys ? (
                <Text size="sm" c="dimmed">
                  {t('Two keys are active, which is the most. Revoke the old one.')}
                </Text>
              ) : null}
            </Group>
          </Stack>
        )}
      </QueryState>
      <Drawer
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked?.kind === 'change' ? t('Edit recorder') : asked?.kind === 'replace' ? t('Replace key') : t('Add recorder')}
      >
        {asked ? (
          <RecorderForm
            asked={asked}
            close={() => setAsked(null)}
            made={key => {
              setAsked(null)
              setShown({ key, replaced: asked.kind === 'replace' })
            }}
          />
        ) : null}
      </Drawer>
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={t('Copy the key now')} size="lg" closeOnClickOutside={false}>
        {shown ? (
          <Stack>
            <Text>{t('The key is shown only here and now. The recorder sends it in the header Authorization of each call.')}</Text>
            <Copied text={shown.key} label={t('Copy key')} />
            <Text>{t('It asks here for the times whose videos are wanted:')}</Text>
            <Copied text={addressOf(packingVideo.requests.path)} label={t('Copy address')} />
            {shown.replaced ? <Text>{t('The old key works until you revoke it. Do so once the recorder uses the new one.')}</Text> : null}
            <Group justify="flex-end">
              <Button onClick={() => setShown(null)}>{t('Key copied')}</Button>
            </Group>
          </Stack>
        ) : null}
      </Dialog>
    </SettingsSection>
  )
}

type Values = z.infer<typeof packingVideoSchemas.calls.addRecorder.body>

function RecorderForm({ asked, close, made }: { asked: Asked; close: () => void; made: (key: string) => void }) {
  const t = useT()
  const known = useCall(stations.list, {})
  const initial: Values =
    asked.kind === 'new'
      ? { name: '', channels: [{ station: '', channel: '' }] }
      : { name: asked.recorder.name, channels: asked.recorder.channels }
  const edit = useEdit({
    schema: packingVideoSchemas.calls.addRecorder.body,
    initial,
    save: async (body: Values): Promise<string | null> => {
      if (asked.kind !== 'change') return (await send(packingVideo.addRecorder, { body })).key
      await send(packingVideo.changeRecorder, { id: asked.recorder.id, body })
      return null
    },
    refreshes: [packingVideo.recorders],
    ...(asked.kind === 'change' && { said: t('Recorder saved') }),
    done: key => (key === null ? close() : made(key)),
  })
  return (
    <Form edit={edit} cancel={close} action={asked.kind === 'change' ? t('Save') : t('Create key')}>
      {asked.kind === 'replace' ? (
        <Text size="sm">{t('A second key for the same cameras. Both work until you revoke the old one.')}</Text>
      ) : null}
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <Stack gap="xs">
        <Text fw={500} size="sm">
          {t('Channels and stations')}
        </Text>
        {edit.values.channels.map((_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place
          <Group key={i} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={t('Channel {{number}}', { number: i + 1 })}
              placeholder={t('Channel, such as 101')}
              style={{ flex: 1 }}
              {...edit.form.getInputProps(`channels.${i}.channel`)}
            />
            <Autocomplete
              aria-label={t('Station of channel {{number}}', { number: i + 1 })}
              placeholder={t('Station')}
              style={{ flex: 1 }}
              data={(known.data ?? []).map(one => one.name)}
              {...edit.form.getInputProps(`channels.${i}.station`)}
            />
            <ActionIcon
              size="lg"
              variant="subtle"
              aria-label={t('Remove channel {{number}}', { number: i + 1 })}
              onClick={() => edit.form.removeListItem('channels', i)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        {edit.form.errors.channels ? (
          <Text size="sm" c="var(--stop)" role="alert">
            {edit.form.errors.channels}
          </Text>
        ) : null}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={16} />}
            {...disabledBecause(edit.values.channels.length >= 100 && t('A recorder has at most 100 channels'))}
            onClick={() => edit.form.insertListItem('channels', { station: '', channel: '' })}
          >
            {t('Add channel')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
