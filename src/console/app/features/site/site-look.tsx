import { isRecord } from '../../../../core/data/is-record.ts'
import { jsonEqual } from '../../../../core/data/json.ts'
import { SITE_FONTS } from '../../../../core/web/site-fonts.ts'
import { useState } from 'react'
import { useApi, useChange } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { type PreviewPlace, SitePreview } from './site-preview.tsx'
import { ConfirmButton, EditForm, type Sending } from '../../ui/forms.tsx'
import type { Schemas } from '../../api/operations/schemas.ts'

type Themed = Schemas['ThemedColor']

/** The settings that the screen changes. The others are sent back as they are. */
type Look = Omit<Schemas['Customization'], 'themes'> & {
  themes: Partial<Schemas['Customization']['themes']>
}

type Mode = 'light' | 'dark' | 'system'

/** ABC Favorit is sold, so sites show Inter in its place. */
const FONTS = SITE_FONTS.filter((font) => font !== 'ABCFavorit')

/** The look of one space of a site, where it differs from that of the site. */
export function SpaceLook({ place, siteSpaceId }: { place: PreviewPlace; siteSpaceId: string }) {
  const path = `${place.path}/site-spaces/${siteSpaceId}` as const
  const query = useApi(`${path}/customization`)
  const save = useChange(`PATCH ${path}/customization`, [`${path}/customization`])
  const reset = useChange(`DELETE ${path}/customization`)
  return (
    <Loaded query={query} title={t('site.look-space-cannot-shown')}>
      {(look) => (
        <>
          <LookForm
            key={JSON.stringify(look)}
            look={look}
            save={save}
            place={{ ...place, siteSpace: siteSpaceId }}
          />
          <p>
            <ConfirmButton
              label={t('site.use-look-site')}
              question={t('site.use-look-site-question')}
              text={t('site.different-settings-space-deleted')}
              change={reset}
              onConfirm={(close) => reset.mutate(undefined, { onSuccess: close })}
            />
          </p>
        </>
      )}
    </Loaded>
  )
}

/** The appearance of a site. */
export function SiteLook({ place, isEmpty }: { place: PreviewPlace; isEmpty: boolean }) {
  const { path } = place
  const query = useApi(`${path}/customization`)
  const save = useChange(`PUT ${path}/customization`, [`${path}/customization`])
  return (
    <Part title={t('common.look')}>
      <Loaded query={query} title={t('site.look-site-cannot-shown')}>
        {(look) => (
          <LookForm
            look={look}
            save={save}
            place={place}
            unable={isEmpty ? t('site.file-would-kept-space') : undefined}
          />
        )}
      </Loaded>
    </Part>
  )
}

/** The API also says "light" while nothing is chosen. To choose it, one sends it alone. */
const themesWith = ({ themes }: Look, mode: Mode): Look['themes'] =>
  mode === 'light' && themes.toggeable ? { default: mode } : { ...themes, default: mode }

function LookForm({
  look,
  save,
  place,
  unable,
}: {
  look: Look
  save: Sending & { mutate: (look: Look) => void }
  place: PreviewPlace
  /** Why no picture can be uploaded now. */
  unable?: string | undefined
}) {
  const { path: site } = place
  const [draft, setDraft] = useState(look)
  const { styling, header, themes, footer } = draft
  const different = differences({ ...look }, { ...draft })
  const changes = Object.keys(different).length > 0 ? JSON.stringify(different) : ''
  const isUnsure = draft.themes === look.themes && themes.default === 'light'
  const style = (part: Partial<Look['styling']>) => setDraft({ ...draft, styling: { ...styling, ...part } })
  const setLogo = (part: Partial<Themed>) => {
    const next = { light: header.logo?.light ?? '', dark: header.logo?.dark ?? '', ...part }
    const { logo: _, ...rest } = header
    setDraft({
      ...draft,
      header:
        next.light === '' && next.dark === ''
          ? rest
          : { ...rest, logo: { light: next.light || next.dark, dark: next.dark || next.light } },
    })
  }
  return (
    <div className="look">
      {/* Before the form, which is longer than a screen: the preview is for those who begin to choose. */}
      <SitePreview place={place} changes={changes} version={JSON.stringify(look)} />
      <EditForm change={save} action={t('site.save-the-look')} onSubmit={() => save.mutate(draft)}>
        <LineField
          label={t('site.title-header')}
          value={draft.title ?? ''}
          onChange={(title) => {
            const { title: _, ...rest } = draft
            setDraft(title === '' ? rest : { ...rest, title })
          }}
          hint={t('site.without-title-site')}
        />
        <ChoiceField
          label={t('site.theme')}
          value={styling.theme}
          onChange={(theme) => style({ theme })}
          options={[
            ['clean', t('site.clean')],
            ['muted', t('site.muted')],
            ['bold', t('common.bold')],
            ['gradient', t('site.gradient')],
          ]}
        />
        <div className="swatches">
          <LineField
            label={t('site.colour-light-mode')}
            type="color"
            value={styling.primaryColor.light}
            onChange={(light) => style({ primaryColor: { ...styling.primaryColor, light } })}
          />
          <LineField
            label={t('site.colour-dark-mode')}
            type="color"
            value={styling.primaryColor.dark}
            onChange={(dark) => style({ primaryColor: { ...styling.primaryColor, dark } })}
          />
        </div>
        <ChoiceField
          label={t('site.corners')}
          value={styling.corners}
          onChange={(corners) => style({ corners })}
          options={[
            ['straight', t('site.straight')],
            ['rounded', t('site.rounded')],
            ['circular', t('site.round')],
          ]}
        />
        {typeof styling.font === 'string' && (
          <ChoiceField
            label={t('site.font')}
            value={styling.font}
            onChange={(font) => style({ font })}
            options={[...new Set([styling.font, ...FONTS])].map((font) => [
              font,
              font.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' '),
            ])}
          />
        )}
        <ChoiceField
          label={t('site.colour-mode-at-first')}
          value={isUnsure ? '' : (themes.default ?? '')}
          onChange={(mode) =>
            setDraft({ ...draft, themes: mode === '' ? look.themes : themesWith(look, mode) })
          }
          options={[
            ...(look.themes.default === 'light'
              ? [['', t('site.readers-device-unless-light')] as const]
              : []),
            ['system', t('site.readers-device')],
            ['light', t('common.light')],
            ['dark', t('common.dark')],
          ]}
        />
        {/* The API may say "light" while nothing is chosen, so that whoever changes this chooses a mode too. */}
        <CheckField
          label={t('site.readers-can-choose-light')}
          isChecked={themes.toggeable ?? true}
          onChange={(toggeable) =>
            setDraft({
              ...draft,
              themes: { default: isUnsure ? 'system' : (themes.default ?? 'system'), toggeable },
            })
          }
        />
        <PictureField
          label={t('common.logo')}
          site={site}
          unable={unable}
          url={header.logo?.light ?? ''}
          onChange={(light) =>
            setLogo({ light, ...(header.logo?.dark === header.logo?.light ? { dark: light } : {}) })
          }
        />
        <PictureField
          label={t('site.logo-dark-mode')}
          site={site}
          unable={unable}
          url={header.logo?.dark ?? ''}
          onChange={(dark) => setLogo({ dark })}
        />
        <PictureField
          label={t('site.icon-tab-browser')}
          site={site}
          unable={unable}
          url={draft.favicon.icon?.light ?? ''}
          onChange={(url) =>
            setDraft({ ...draft, favicon: url === '' ? {} : { icon: { light: url, dark: url } } })
          }
        />
        <LineField
          label={t('site.copyright-line-footer')}
          value={footer.copyright ?? ''}
          onChange={(copyright) => {
            const { copyright: _, ...rest } = footer
            setDraft({ ...draft, footer: copyright === '' ? rest : { ...rest, copyright } })
          }}
        />
      </EditForm>
    </div>
  )
}

type Settings = Record<string, unknown>

/**
 * Returns the settings that differ between two looks, or two of their groups: null for a setting that the second one
 * omits. The values of a group are sent whole.
 */
function differences(before: Settings, after: Settings, areGroups = true): Settings {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const [from, to] = [before[name], after[name]]
      if (jsonEqual(from, to)) return []
      return [
        [name, areGroups && isRecord(from) && isRecord(to) ? differences(from, to, false) : (to ?? null)],
      ]
    }),
  )
}
