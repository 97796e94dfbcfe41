/** Welcome: the page of the bare base domain, which belongs to no company and says where the companies are. */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { companyCode } from '#contract/fields.schemas.ts'
import style from '#features/company/session/Login.module.css'
import { LoginPage } from '#features/company/session/LoginPage.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useAppConfig } from '#ui/query/app-config.ts'
import { addressAt, NotYet, useSetupState } from './SetupScreen.tsx'

export function WelcomeScreen() {
  const state = useSetupState()
  return <LoginPage>{state.isPending ? null : state.data?.open ? <NotYet /> : <WhichCompany />}</LoginPage>
}

function WhichCompany() {
  const t = useT()
  const conf = useAppConfig()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const demo = [...new Set((conf?.demo_logins ?? []).map(one => one.company).filter(one => one !== undefined))]
  const go = (event: FormEvent) => {
    event.preventDefault()
    const read = companyCode.safeParse(code.trim().toLowerCase())
    if (read.success) location.assign(addressAt(read.data))
    else setWrong(t(read.error.issues[0]?.message ?? 'There is no such company at this address'))
  }
  return (
    <Stack gap="md">
      <div>
        <h1>{t('Which company?')}</h1>
        <Text c="dimmed">{t('Every company has an address of its own.')}</Text>
      </div>
      {demo.length > 0 ? (
        <Stack gap={8} component="nav" aria-label={t('Companies')}>
          {demo.map(one => (
            <Anchor key={one} href={addressAt(one)} className={style.login}>
              {one}
              <small>{addressAt(one)}</small>
            </Anchor>
          ))}
        </Stack>
      ) : null}
      <form onSubmit={go} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('Company code')}
            description={t('The first part of its address: {{example}}', { example: addressAt(code.trim().toLowerCase() || 'code') })}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={demo.length === 0}
            value={code}
            error={wrong}
            onChange={event => {
              setCode(event.currentTarget.value)
              setWrong(null)
            }}
          />
          <Button type="submit" variant={demo.length > 0 ? 'default' : 'filled'}>
            {t('Go there')}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
