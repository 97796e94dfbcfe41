/** The form of one user: name, logins and permissions. */
import { Avatar, Button, FileButton, Group, PasswordInput, Radio, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { permissionId } from '#contract/access.ts'
import type { AccountKind } from '#contract/device-accounts.ts'
import { recordOf } from '#domain/objects.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RightsInput } from './PermissionsInput.tsx'
import { users } from './users.contract.ts'
import { NewUser, User, UserChange } from './users.schemas.ts'

interface Values extends Record<string, unknown> {
  name: string
  user_name: string
  email: string
  phone: string
  role: string
  employee_no: string
  permission: number[]
  skills: string[]
  kind: AccountKind
  password: string
  /** `keep` the present password, have one `made`, set the `written` one, or let the `invited` user choose one. */
  how: 'keep' | 'made' | 'written' | 'invited'
  /** Confirms a permission that a person gives to themselves, and another address of their own. */
  current_password: string
}

const texts = ['user_name', 'email', 'phone', 'role', 'employee_no'] as const
/** An empty field is null. */
const fieldsOf = ({ name, permission, skills, kind: _, ...values }: Values) => ({
  ...{ name, permission, skills },
  ...recordOf(texts, field => (values[field] === '' ? null : values[field])),
})
const passwordOf = ({ how, password }: Values) => (how === 'written' ? { password } : {})

const newBody = (values: Values) => ({
  ...fieldsOf(values),
  kind: values.kind,
  ...passwordOf(values),
  ...(values.how === 'invited' ? { no_password: true } : {}),
})
const changeBody = (values: Values, version: number) => ({
  ...fieldsOf(values),
  ...passwordOf(values),
  ...(values.how === 'made' ? { new_password: true } : {}),
  ...(values.current_password === '' ? {} : { current_password: values.current_password }),
  version,
})
const NewSchema = z
  .custom<Values>()
  .transform((values): unknown => newBody(values))
  .pipe(NewUser)
const ChangeSchema = z
  .custom<Values>()
  .transform((values): unknown => changeBody(values, 1))
  .pipe(UserChange)

interface UserFormProps {
  user: User | null
  /** Defaults of a new user. */
  employeeNo: string
  /** What a new account is for. */
  kind?: AccountKind

  said: string
  cancel: () => void
  done: (answer: { user: User; password: string | null }, invited: boolean) => void
}

const valuesOf = (user: User | null, employeeNo: string, kind: AccountKind = 'person'): Values => ({
  name: user?.name ?? '',
  user_name: user?.user_name ?? '',
  email: user?.email ?? '',
  phone: user?.phone ?? '',
  role: user?.role ?? '',
  employee_no: user ? (user.employee_no ?? '') : kind === 'device' ? '' : employeeNo,
  permission: user?.permission ?? [],
  skills: user?.skills ?? [],
  kind: user?.kind ?? kind,
  password: '',
  how: user ? 'keep' : 'made',
  current_password: '',
})

export function UserForm({ user, employeeNo, kind = 'person', said, cancel, done }: UserFormProps) {
  const t = useT()
  const { user: me } = useSignedIn()
  const began = useRef(user)
  /** Undoing a change of the own address asks for it again. */
  const confirmed = useRef('')
  const edit = useEdit({
    schema: user ? ChangeSchema : NewSchema,
    initial: valuesOf(user, employeeNo, kind),
    save: values => {
      confirmed.current = values.current_password
      return began.current
        ? send(users.update, { id: began.current.user_id, body: changeBody(values, began.current.version) })
        : send(users.create, { body: newBody(values) })
    },
    refreshes: [users.list, users.get],
    said,
    // A password cannot be taken back.
    ...(user && {
      undo: async (answer: { user: User }, before: Values) => {
        const back = await send(users.update, {
          id: user.user_id,
          body: changeBody({ ...before, current_password: confirmed.current }, answer.user.version),
        })
        began.current = back.user
      },
    }),
    done: (answer, values) => {
      began.current = answer.user
      done(answer, values.how === 'invited')
    },
    conflict: {
      schema: User,
      values: fresh => {
        began.current = fresh
        return valuesOf(fresh, '')
      },
    },
  })
  const { how } = edit.values
  const device = edit.values.kind === 'device'
  const personal = permissionId('personal_admin')
  const takesPersonal = edit.values.permission.includes(personal) && !user?.permission.includes(personal)
  const confirms = user?.user_id === me.user_id && (takesPersonal || edit.values.email.trim() !== (user.email ?? ''))
  return (
    <Form edit={edit} cancel={cancel} action={user ? t('Save') : device ? t('Create device') : t('Create user')}>
      {user && !device ? <UserPicture user={user} /> : null}
      {device ? (
        <Text size="sm" c="dimmed">
          {t('A device stays signed in for 400 days, or for 30 unused, and works only inside the warehouse network.')}
        </Text>
      ) : null}
      <TextInput label={t('Name')} data-autofocus autoComplete="off" {...edit.of('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t('User name')} autoCapitalize="none" autoComplete="off" spellCheck={false} {...edit.of('user_name')} />
        {device ? null : (
          <>
            <TextInput label={t('Employee number')} autoComplete="off" {...edit.of('employee_no')} />
            <TextInput label={t('E-mail')} type="email" autoComplete="off" {...edit.of('email')} />
            <PhoneInput label={t('Phone')} autoComplete="off" {...edit.of('phone')} />
          </>
        )}
      </SimpleGrid>
      {device ? null : (
        <>
          <TextInput
            label={t('Role')}
            description={t('The word for their job, as colleagues use it.')}
            autoComplete="off"
            {...edit.of('role')}
          />
          <TagsInput
            label={t('Skills')}
            description={t('Open shifts that need one are offered to those who have it. Enter adds one.')}
            maxTags={20}
            splitChars={[',', ';']}
            acceptValueOnBlur
            value={edit.values.skills}
            error={edit.form.errors.skills}
            onChange={skills => edit.form.setFieldValue('skills', skills)}
          />
        </>
      )}
      {user?.user_id === me.user_id ? null : (
        <Radio.Group label={t('Password')} value={how} onChange={value => edit.form.setFieldValue('how', value)}>
          <Stack gap={8} mt={4}>
            {user ? <Radio value="keep" label={user.has_password ? t('Leave it as it is') : t('None: cannot sign in')} /> : null}
            {device ? null : <Radio value="invited" label={t('Send a link by which they choose one')} />}
            <Radio value="made" label={user ? t('Create a new one and show it once') : t('Create one and show it once')} />
            <Radio value="written" label={t('Enter one')} />
          </Stack>
        </Radio.Group>
      )}
      {how === 'written' ? (
        <PasswordInput
          label={t('New password')}
          description={t('At least 15 characters. A few words in a row are easy to remember.')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          {...edit.of('password')}
        />
      ) : null}
      <RightsInput
        value={edit.values.permission}
        before={user?.permission ?? []}
        error={edit.form.errors.permission}
        device={device}
        onChange={permission => edit.form.setFieldValue('permission', permission)}
      />
      {confirms ? (
        <PasswordInput
          label={t('Present password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          {...edit.of('current_password')}
        />
      ) : null}
    </Form>
  )
}

function UserPicture({ user }: { user: User }) {
  const t = useT()
  const set = useSend(users.setImage, { refreshes: [users.get, users.list], said: t('Picture saved') })
  const remove = useSend(users.removeImage, { refreshes: [users.get, users.list], said: t('Picture removed') })
  return (
    <Group gap="sm">
      {user.has_image ? (
        <ImageView
          from={{ call: users.image, input: { id: user.user_id } }}
          sku={user.name}
          size={64}
          version={`${set.submittedAt} ${user.version}`}
        />
      ) : (
        <Avatar size={64} name={user.name} color="gray" aria-hidden />
      )}
      <FileButton onChange={file => file && set.mutate({ id: user.user_id, upload: file })} accept="image/png,image/jpeg,image/webp">
        {props => (
          <Button {...props} size="compact-sm" variant="default" loading={set.isPending}>
            {user.has_image ? t('Replace picture') : t('Select a picture')}
          </Button>
        )}
      </FileButton>
      {user.has_image ? (
        <Button
          size="compact-sm"
          variant="subtle"
          color="brick"
          loading={remove.isPending}
          onClick={() => remove.mutate({ id: user.user_id })}
        >
          {t('Remove')}
        </Button>
      ) : null}
    </Group>
  )
}
