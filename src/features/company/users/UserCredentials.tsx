/** On the page of a user: the personal PIN and the staff badge, by which they approve at a packing station. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { credentials } from './credentials.contract.ts'
import type { User } from './users.schemas.ts'

export function UserCredentials({ user }: { user: User }) {
  const t = useT()
  const known = useCall(credentials.get, { id: user.user_id })
  return (
    <Stack gap="sm" mt="xl" pt="md" style={{ borderTop: '1px solid var(--edge)' }}>
      <Text fw={600}>{t('PIN and badge')}</Text>
      <Text size="sm" c="dimmed">
        {t('A lead approves with them at a packing station.')}
      </Text>
      <QueryState of={known} shape="form">
        {({ pin_set_at, badge_made_at }) => (
          <>
            <PersonalPin user={user} setAt={pin_set_at} />
            <Badge user={user} madeAt={badge_made_at} />
          </>
        )}
      </QueryState>
    </Stack>
  )
}

function PersonalPin({ user, setAt }: { user: User; setAt: string | null }) {
  const t = useT()
  const [pin, setPin] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const set = useSend(credentials.setPin, {
    refreshes: [credentials.get],
    said: t('PIN saved'),
    quiet: true,
    done: () => setPin(''),
  })
  const remove = useSend(credentials.removePin, { refreshes: [credentials.get], said: t('PIN removed') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fits = /^\d{4,8}$/.test(pin)
    setWrong(fits ? null : t('A PIN has 4 to 8 digits'))
    if (fits) set.mutate({ id: user.user_id, body: { pin } })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <PasswordInput
          label={t('Personal PIN')}
          description={setAt ? t('Set {{when}}', { when: instant(setAt) }) : t('4 to 8 digits')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          w={200}
          value={pin}
          error={wrong ?? (set.error ? errorSentence(set.error) : null)}
          onChange={event => setPin(event.currentTarget.value.replace(/\D/g, ''))}
          visibilityToggleButtonProps={{ 'aria-label': t('Show PIN') }}
        />
        <Button type="submit" variant="default" loading={set.isPending} {...disabledBecause(pin === '' && t('Enter a PIN first'))}>
          {t('Save PIN')}
        </Button>
        {setAt ? (
          <Button variant="subtle" color="gray" loading={remove.isPending} onClick={() => remove.mutate({ id: user.user_id })}>
            {t('Remove PIN')}
          </Button>
        ) : null}
      </Group>
    </form>
  )
}

function Badge({ user, madeAt }: { user: User; madeAt: string | null }) {
  const t = useT()
  const [code, setCode] = useState<string | null>(null)
  const make = useSend(credentials.makeBadge, { refreshes: [credentials.get], done: made => setCode(made.code) })
  const revoke = useSend(credentials.revokeBadge, {
    refreshes: [credentials.get],
    said: t('Badge revoked'),
    done: () => setCode(null),
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Revoke the badge of {{name}}?', { name: user.name }),
      body: t('The printed badge approves nothing any more.'),
      action: t('Revoke badge'),
      danger: true,
    })
    if (sure) revoke.mutate({ id: user.user_id })
  }
  return (
    <>
      <Group gap="xs">
        <Text size="sm">{madeAt ? t('Badge made {{when}}', { when: instant(madeAt) }) : t('No badge yet')}</Text>
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate({ id: user.user_id })}>
          {madeAt ? t('Create new badge') : t('Create badge')}
        </Button>
        {madeAt ? (
          <Button variant="subtle" color="gray" loading={revoke.isPending} onClick={() => void ask()}>
            {t('Revoke badge')}
          </Button>
        ) : null}
      </Group>
      {code ? <BadgeCode code={code} name={user.name} /> : null}
    </>
  )
}

/** The code is shown once; the picture is printed from here. */
function BadgeCode({ code, name }: { code: string; name: string }) {
  const t = useT()
  const [source, setSource] = useState('')
  // The outside system is the program that draws codes, which loads when it is needed.
  useEffect(() => {
    let shown = true
    import('bwip-js/browser')
      .then(({ qrcode, drawingSVG }) => {
        const svg = qrcode({ bcid: 'qrcode', text: code, scale: 3, padding: 4, backgroundcolor: 'FFFFFF' }, drawingSVG())
        if (shown) setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`)
      })
      .catch(() => undefined)
    return () => {
      shown = false
    }
  }, [code])
  return (
    <Stack gap="xs" align="flex-start">
      {source ? <img src={source} alt={t('Badge of {{name}}', { name })} width={160} height={160} /> : null}
      <Text size="sm">{t('The code is shown only now. Print it, or stick it on the badge.')}</Text>
      <Button
        variant="default"
        {...disabledBecause(source === '' && t('The code is not drawn yet'))}
        onClick={() => printBadge(source, name)}
      >
        {t('Print badge')}
      </Button>
    </Stack>
  )
}

/** Prints the picture alone, from a frame that the page does not show. */
function printBadge(source: string, name: string): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page) {
    frame.remove()
    return
  }
  const picture = page.createElement('img')
  const words = page.createElement('p')
  picture.width = 220
  words.textContent = name
  words.style.font = '16px sans-serif'
  picture.addEventListener('load', () => {
    frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
    frame.contentWindow?.print()
  })
  picture.src = source
  page.body.append(picture, words)
}
