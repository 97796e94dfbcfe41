/** On the page of a user, for those who may read personal data: a copy of everything for the person, and its erasure. */
import { Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { useContext, useState } from 'react'
import { access } from '#contract/access.ts'
import { OwnIdentity } from '#features/company/sign-in-provider/OwnIdentity.tsx'
import { ShownUser } from '#features/company/users/shown-user.client.ts'
import { users } from '#features/company/users/users.contract.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { type Received, saveFile, send } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { staffData } from './staff-data.contract.ts'
import { Confirmed, CopyAsked, copyFormats } from './staff-data.schemas.ts'

const View = { id: urlText() }

type Report = Received<typeof staffData.erase>

export function StaffData() {
  const t = useT()
  const may = useIsAllowed(access.personal)
  const user = useContext(ShownUser)
  const { user: me } = useSignedIn()
  const [open, setOpen] = useState<'' | 'copy' | 'erase'>('')
  const [report, setReport] = useState<Report | null>(null)
  const [, setUrl] = useUrlState(View)
  if (!may || !user) return null
  const close = () => setOpen('')
  // Who is erased is no user any more: the page of the user closes.
  const leave = () => setUrl({ id: '' })
  return (
    <Stack gap="sm" mt="xl" pt="md" component="section" aria-label={t('Personal data')} style={{ borderTop: '1px solid var(--edge)' }}>
      <Text fw={600}>{t('Personal data')}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => setOpen('copy')}>
          {t('Copy for the person')}
        </Button>
        {user.user_id === me.user_id ? null : (
          <Button variant="subtle" color="brick" onClick={() => setOpen('erase')}>
            {t('Erase person')}
          </Button>
        )}
      </Group>
      <Dialog opened={open === 'copy'} onClose={close} title={t('A copy of what is stored of {{name}}', { name: user.name })}>
        <CopyForm user_id={user.user_id} close={close} />
      </Dialog>
      <Dialog
        opened={open === 'erase'}
        onClose={report ? leave : close}
        title={report ? t('The person is erased') : t('Erase {{name}}?', { name: user.name })}
      >
        {report ? <Erased report={report} leave={leave} /> : <EraseForm user_id={user.user_id} close={close} done={setReport} />}
      </Dialog>
    </Stack>
  )
}

function Erased({ report, leave }: { report: Report; leave: () => void }) {
  const t = useT()
  const words = { hours: t('Hours and leave'), pay: t('Exported pay'), agreements: t('Texts that were agreed to') }
  return (
    <Stack gap="sm">
      <Text size="sm">{t('Kept under the employee number, as the law asks:')}</Text>
      <List size="sm">
        {report.kept.map(({ what, until }) => (
          <List.Item key={what}>
            {words[what]}: {t('until {{day}} at the latest', { day: day(until) })}
          </List.Item>
        ))}
      </List>
      <Group justify="flex-end">
        <Button onClick={leave}>{t('Close')}</Button>
      </Group>
    </Stack>
  )
}

function CopyForm({ user_id, close }: { user_id: number; close: () => void }) {
  const t = useT()
  const initial: { password: string; format: (typeof copyFormats)[number] } = { password: '', format: 'pdf' }
  const edit = useEdit({
    schema: CopyAsked,
    initial,
    save: async body => saveFile(await send(staffData.copy, { id: user_id, body })),
    said: t('The copy is saved'),
    done: close,
  })
  const words = {
    pdf: { label: 'PDF', description: t('To read, in the person’s language') },
    json: { label: 'JSON', description: t('Every value, for other programs') },
  }
  return (
    <Form edit={edit} action={t('Save copy')} cancel={close} unguarded>
      <Text size="sm">{t('With the CPR number and who has looked at the data. Hand it to the person alone.')}</Text>
      <Radio.Group label={t('Format')} {...edit.of('format')}>
        <Stack mt="xs" gap="xs">
          {copyFormats.map(one => (
            <Radio key={one} value={one} {...words[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <OwnIdentity field={edit.of('password')} />
    </Form>
  )
}

function EraseForm({ user_id, close, done }: { user_id: number; close: () => void; done: (report: Report) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: Confirmed,
    initial: { password: '' },
    save: body => send(staffData.erase, { id: user_id, body }),
    refreshes: [users.list],
    done,
  })
  return (
    <Form edit={edit} action={t('Erase person')} cancel={close} unguarded>
      <Text size="sm">
        {t(
          'The person is signed out and removed. Name, addresses, picture, guardian, CPR number and notes are erased. It cannot be undone.',
        )}
      </Text>
      <OwnIdentity field={edit.of('password')} />
    </Form>
  )
}
