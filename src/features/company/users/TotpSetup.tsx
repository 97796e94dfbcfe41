/** Sets up a code app: its secret as a QR code and as text, the first code, and then the recovery codes. */
import { Alert, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile } from '#ui/query/calls.ts'
import { QrCode } from './QrCode.tsx'

interface CodeFormProps {
  label: string
  action: string
  /** Digits of an app, or the letters of a recovery code. */
  digits?: boolean
  /** Sends what was typed; its refusal is shown at the field. */
  send: (code: string) => Promise<void>
  wide?: boolean
}

/** One field for a code, which is sent with Enter and empty again after a refusal. */
export function CodeForm({ label, action, digits = true, send, wide = false }: CodeFormProps) {
  const t = useT()
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (digits && !/^\d{6}$/.test(code.replace(/\s/g, ''))) {
      setWrong(t('A code has six digits'))
      return
    }
    setPending(true)
    setWrong(null)
    try {
      await send(code)
    } catch (failure) {
      setWrong(errorSentence(failure))
      setCode('')
      field.current?.focus()
    } finally {
      setPending(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <Stack gap="md">
        <TextInput
          ref={field}
          label={label}
          name="code"
          autoComplete={digits ? 'one-time-code' : 'off'}
          inputMode={digits ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={digits ? 7 : 40}
          size={wide ? 'md' : 'sm'}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={code}
          error={wrong}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={pending}
            {...disabledBecause(code.trim() === '' && t('Enter a code first'))}
            fullWidth={wide}
            size={wide ? 'md' : 'sm'}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface TotpSetupProps {
  secret: string
  uri: string
  confirm: (code: string) => Promise<void>
  wide?: boolean
}

export function TotpSetup({ secret, uri, confirm, wide = false }: TotpSetupProps) {
  const t = useT()
  return (
    <Stack gap="md">
      <Text size="sm">{t('Scan this with a code app on your phone, or type the key into it.')}</Text>
      <Group justify="center">
        <QrCode text={uri} label={t('QR code for the code app')} />
      </Group>
      <Copied text={secret.match(/.{1,4}/g)?.join(' ') ?? secret} label={t('Copy key')} />
      <CodeForm label={t('Code that the app shows')} action={t('Set up code app')} send={confirm} wide={wide} />
    </Stack>
  )
}

/** Shown once: without phone and codes only an administrator helps. */
export function RecoveryCodes({ codes, done, wide = false }: { codes: readonly string[]; done: () => void; wide?: boolean }) {
  const t = useT()
  return (
    <Stack gap="md">
      <Alert color="amber" variant="light" icon={<IconAlertTriangle size={16} />} title={t('Keep these recovery codes')}>
        {t('Each works once, if you have lost your phone. They are shown only now.')}
      </Alert>
      <SimpleGrid cols={1} spacing={4}>
        {codes.map(code => (
          <Code key={code} ta="center" fz="md">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify={wide ? 'stretch' : 'flex-end'}>
        <Button
          variant="default"
          size={wide ? 'md' : 'sm'}
          fullWidth={wide}
          onClick={() => saveFile(new File([`${codes.join('\r\n')}\r\n`], 'recovery-codes.txt', { type: 'text/plain' }))}
        >
          {t('Save as a file')}
        </Button>
        <Button size={wide ? 'md' : 'sm'} fullWidth={wide} onClick={done}>
          {t('I have kept them')}
        </Button>
      </Group>
    </Stack>
  )
}
