import { useState } from 'react'
import { Button } from 'react-aria-components'
import { ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { base64Of } from '../../ui/picture-field.tsx'
import { type Language, languageOptions } from '../../words/languages.ts'
import { Frame } from '../../ui/fields.tsx'
import { useApi, useChange } from '../../api/api.ts'
import { EditForm } from '../../ui/forms.tsx'
import { Loaded, Refusal } from '../../ui/parts.tsx'
import { chosenTheme, chooseTheme, type Theme } from '../../ui/theme.ts'
import type { Caller } from '../../api/types.ts'
import { forgetLanguage, t } from '../../words/words.ts'

/** The user's profile and notification settings. */
export function ProfileScreen() {
  const query = useApi('/user')
  return (
    <Loaded query={query} title={t('Your profile cannot be shown')}>
      {(me) => (
        <Frame trail={[]} title={t('Profile')} label={t('You')}>
          <Picture me={me} />
          <About key={`${me.displayName} ${me.language} ${me.timeZone}`} me={me} />
          <Appearance />
          <Mail />
          <Part title={t('Password, tokens and sessions')}>
            <p>
              <a href="/app/me">{t('Your account')}</a>
            </p>
          </Part>
        </Frame>
      )}
    </Loaded>
  )
}

function Picture({ me }: { me: Caller }) {
  const change = useChange(`PATCH /users/${me.id}`)
  return (
    <Part title={t('Picture')}>
      <div className="profile-picture">
        {me.photoURL ? (
          <img src={me.photoURL} alt={t('Your picture')} width="72" height="72" />
        ) : (
          <span className="avatar" aria-hidden="true" data-letter={me.displayName.slice(0, 1)} />
        )}
        <div className="field">
          <label htmlFor="picture">{t('New picture')}</label>
          <input
            id="picture"
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            disabled={change.isPending}
            aria-describedby="picture-hint"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) void base64Of(file).then((photo) => change.mutate({ photo }))
            }}
          />
          <span id="picture-hint" className="hint">
            {t('PNG, JPEG, GIF or WebP, at most 1 MB')}
          </span>
        </div>
        {me.photoURL && (
          <Button
            className="small quiet"
            isDisabled={change.isPending}
            onPress={() => change.mutate({ photo: null })}
          >
            {t('Remove the picture')}
          </Button>
        )}
      </div>
      <Refusal error={change.error} />
    </Part>
  )
}

function About({ me }: { me: Caller }) {
  const [name, setName] = useState(me.displayName)
  const [language, setLanguage] = useState<Language | ''>(me.language ?? '')
  const [zone, setZone] = useState(me.timeZone ?? '')
  const change = useChange(`PATCH /users/${me.id}`)
  return (
    <Part title={t('About you')}>
      <EditForm
        change={change}
        action={t('Save')}
        onSubmit={() => {
          if (language === '') forgetLanguage()
          change.mutate({
            displayName: name,
            language: language === '' ? null : language,
            timeZone: zone === '' ? null : zone,
          })
        }}
      >
        <LineField label={t('Name')} value={name} onChange={setName} isRequired />
        <ChoiceField
          label={t('Language')}
          value={language}
          onChange={setLanguage}
          options={[['', t('That of the browser')], ...languageOptions()]}
          hint={t('The console has English and Chinese. It shows the change when you open it again.')}
        />
        <ChoiceField
          label={t('Time zone')}
          value={zone}
          onChange={setZone}
          options={[
            ['', t('That of the device')],
            ...Intl.supportedValuesOf('timeZone').map((one): [string, string] => [one, one]),
          ]}
        />
      </EditForm>
    </Part>
  )
}

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme())
  const choose = (next: Theme) => {
    setTheme(next)
    chooseTheme(next)
  }
  return (
    <Part title={t('Appearance')}>
      <ChoiceField
        label={t('Colours in this browser')}
        value={theme}
        onChange={choose}
        options={[
          ['system', t('That of the device')],
          ['light', t('Light')],
          ['dark', t('Dark')],
        ]}
      />
    </Part>
  )
}

function Mail() {
  const query = useApi('/user/notification-settings')
  const change = useChange('PATCH /user/notification-settings')
  return (
    <Part title={t('Notifications')}>
      <Loaded query={query} title={t('The settings cannot be shown')}>
        {({ digest }) => (
          <ChoiceField
            label={t('E-mail about unread notifications')}
            value={digest}
            isDisabled={change.isPending}
            onChange={(next) => change.mutate({ digest: next })}
            options={[
              ['off', t('None')],
              ['daily', t('Once a day')],
            ]}
          />
        )}
      </Loaded>
      <Refusal error={change.error} />
    </Part>
  )
}
