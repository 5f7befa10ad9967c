import { useState } from 'react'
import { Button } from 'react-aria-components'
import { ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { base64Of } from '../../ui/picture-field.tsx'
import {
  pageLanguageOptions,
  type PageLanguage,
  pageLanguageOrEnglish,
} from '../../../../core/languages/page-languages.ts'
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
    <Loaded query={query} title={t('account.profile-cannot-shown')}>
      {(me) => (
        <Frame trail={[]} title={t('common.profile')} label={t('common.you')}>
          <Picture me={me} />
          <About key={`${me.displayName} ${me.language} ${me.timeZone}`} me={me} />
          <Appearance />
          <Mail />
          <Part title={t('account.password-tokens-sessions')}>
            <p>
              <a href="/app/me">{t('common.your-account')}</a>
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
    <Part title={t('account.picture')}>
      <div className="profile-picture">
        {me.photoURL ? (
          <img src={me.photoURL} alt={t('account.your-picture')} width="72" height="72" />
        ) : (
          <span className="avatar" aria-hidden="true" data-letter={me.displayName.slice(0, 1)} />
        )}
        <div className="field">
          <label htmlFor="picture">{t('account.new-picture')}</label>
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
            {t('account.png-jpeg-gif-web')}
          </span>
        </div>
        {me.photoURL && (
          <Button
            className="small quiet"
            isDisabled={change.isPending}
            onPress={() => change.mutate({ photo: null })}
          >
            {t('account.remove-the-picture')}
          </Button>
        )}
      </div>
      <Refusal error={change.error} />
    </Part>
  )
}

function About({ me }: { me: Caller }) {
  const [name, setName] = useState(me.displayName)
  // An account can have another language, in which there are no texts. It is kept unless the user chooses one.
  const shown = me.language ? pageLanguageOrEnglish(me.language) : ''
  const [language, setLanguage] = useState<PageLanguage | ''>()
  const [zone, setZone] = useState(me.timeZone ?? '')
  const change = useChange(`PATCH /users/${me.id}`)
  return (
    <Part title={t('account.about-you')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() => {
          if (language === '') forgetLanguage()
          change.mutate({
            displayName: name,
            ...(language !== undefined && { language: language === '' ? null : language }),
            timeZone: zone === '' ? null : zone,
          })
        }}
      >
        <LineField label={t('common.name')} value={name} onChange={setName} isRequired />
        <ChoiceField
          label={t('common.language')}
          value={language ?? shown}
          onChange={setLanguage}
          options={[['', t('account.that-of-the-browser')], ...pageLanguageOptions()]}
        />
        <ChoiceField
          label={t('account.time-zone')}
          value={zone}
          onChange={setZone}
          options={[
            ['', t('account.that-of-the-device')],
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
    <Part title={t('account.appearance')}>
      <ChoiceField
        label={t('account.colours-browser')}
        value={theme}
        onChange={choose}
        options={[
          ['system', t('account.that-of-the-device')],
          ['light', t('common.light')],
          ['dark', t('common.dark')],
        ]}
      />
    </Part>
  )
}

function Mail() {
  const query = useApi('/user/notification-settings')
  const change = useChange('PATCH /user/notification-settings')
  return (
    <Part title={t('common.notifications')}>
      <Loaded query={query} title={t('common.settings-cannot-shown')}>
        {({ digest }) => (
          <ChoiceField
            label={t('account.e-mail-about-unread')}
            value={digest}
            isDisabled={change.isPending}
            onChange={(next) => change.mutate({ digest: next })}
            options={[
              ['off', t('common.none')],
              ['daily', t('account.once-a-day')],
            ]}
          />
        )}
      </Loaded>
      <Refusal error={change.error} />
    </Part>
  )
}
