/** The CPR number of a person: masked, shown for half a minute to who says why, and who has looked at it before. */
import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { access } from '#contract/access.ts'
import { OwnIdentity } from '#features/company/sign-in-provider/OwnIdentity.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { maskedCpr } from './cpr.rules.ts'
import { type CprHint, copyReason } from './employees.codes.ts'
import { employees } from './employees.contract.ts'
import { CprReveal, NewCpr } from './employees.schemas.ts'

/** Milliseconds for which a number stands on the screen. */
const shownFor = 30_000
const refreshes = [employees.cpr]

export function CprNumber({ user_id, name }: { user_id: number; name: string }) {
  const t = useT()
  const may = useIsAllowed(access.personal)
  const known = useCall(employees.cpr, { id: user_id }, { enabled: may, live: ['user'] })
  if (!may) return null
  return (
    <Stack gap="sm" component="section" aria-label={t('CPR number')}>
      <Text fw={600}>{t('CPR number')}</Text>
      <QueryState of={known} shape="rows">
        {cpr => <Kept cpr={cpr} name={name} />}
      </QueryState>
    </Stack>
  )
}

function Kept({ cpr, name }: { cpr: Received<typeof employees.cpr>; name: string }) {
  const t = useT()
  const [open, setOpen] = useState<'' | 'enter' | 'reveal'>('')
  const [hint, setHint] = useState<CprHint | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  // The outside system is the clock.
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), shownFor)
    return () => clearTimeout(timer)
  }, [shown])
  const remove = useSend(employees.removeCpr, { refreshes, said: t('CPR number removed'), done: () => setShown(null) })
  const askRemove = async () => {
    const sure = await confirm({
      title: t('Remove the CPR number?'),
      body: t('It cannot be brought back. Who has read it stays in the log.'),
      action: t('Remove'),
      danger: true,
    })
    if (sure) remove.mutate({ id: cpr.user_id })
  }
  const close = () => setOpen('')
  return (
    <>
      <Group gap="sm">
        {cpr.set_at === null ? (
          <Text size="sm" c="dimmed">
            {t('None is kept.')}
          </Text>
        ) : (
          <Text ff="monospace" aria-live="polite">
            {shown ?? maskedCpr}
          </Text>
        )}
        {shown === null ? null : <CopyButton text={shown} label={t('Copy')} />}
        {cpr.set_at === null ? null : shown === null ? (
          <Button size="compact-md" variant="default" onClick={() => setOpen('reveal')}>
            {t('Show…')}
          </Button>
        ) : (
          <Button size="compact-md" variant="default" onClick={() => setShown(null)}>
            {t('Hide')}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => setOpen('enter')}>
          {cpr.set_at === null ? t('Enter number') : t('Replace')}
        </Button>
        {cpr.set_at === null ? null : (
          <Button size="compact-md" variant="subtle" color="brick" loading={remove.isPending} onClick={() => void askRemove()}>
            {t('Remove')}
          </Button>
        )}
      </Group>
      {cpr.set_at === null ? null : (
        <Text size="sm" c="dimmed">
          {t('Entered {{when}} by {{name}}', { when: instant(cpr.set_at), name: cpr.set_by })}
        </Text>
      )}
      {hint === null ? null : (
        <Alert color="amber" withCloseButton closeButtonLabel={t('Close')} onClose={() => setHint(null)}>
          {hint === 'birth_date'
            ? t('The employment has another date of birth. Check both.')
            : t('No valid check digit. Numbers issued since October 2007 may lack it.')}
        </Alert>
      )}
      {cpr.reveals.length === 0 ? null : (
        <Table verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Read by')}</Table.Th>
              <Table.Th>{t('When')}</Table.Th>
              <Table.Th>{t('Reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cpr.reveals.map(one => (
              <Table.Tr key={one.at}>
                <Table.Td>{one.user_name}</Table.Td>
                <Table.Td>{instant(one.at)}</Table.Td>
                <Table.Td>{one.reason === copyReason ? t('Copy for the person') : (one.reason ?? '–')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Dialog opened={open === 'enter'} onClose={close} title={t('CPR number of {{name}}', { name })}>
        <Enter
          user_id={cpr.user_id}
          close={close}
          done={found => {
            setHint(found)
            setShown(null)
          }}
        />
      </Dialog>
      <Dialog opened={open === 'reveal'} onClose={close} title={t('Show the CPR number of {{name}}', { name })}>
        <Reveal user_id={cpr.user_id} close={close} done={setShown} />
      </Dialog>
    </>
  )
}

function Enter({ user_id, close, done }: { user_id: number; close: () => void; done: (hint: CprHint | null) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: NewCpr,
    initial: { cpr: '' },
    save: body => send(employees.setCpr, { id: user_id, body }),
    refreshes,
    said: t('CPR number saved'),
    done: ({ hint }) => {
      done(hint)
      close()
    },
  })
  return (
    <Form edit={edit} action={t('Save number')} cancel={close}>
      <TextInput
        label={t('CPR number')}
        description={t('Ten digits. It is encrypted and shown only with a reason.')}
        inputMode="numeric"
        autoComplete="off"
        data-1p-ignore
        spellCheck={false}
        {...edit.of('cpr')}
      />
    </Form>
  )
}

function Reveal({ user_id, close, done }: { user_id: number; close: () => void; done: (cpr: string) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: CprReveal,
    initial: { reason: '', password: '' },
    save: body => send(employees.revealCpr, { id: user_id, body }),
    refreshes,
    done: ({ cpr }) => {
      done(cpr)
      close()
    },
  })
  return (
    <Form edit={edit} action={t('Show number')} cancel={close}>
      <Text size="sm">{t('The log shows that you read it, when and why. It is shown for 30 seconds.')}</Text>
      <TextInput label={t('Reason')} {...edit.of('reason')} />
      <OwnIdentity field={edit.of('password')} />
    </Form>
  )
}
