import { isRecord } from '../../../../core/is-record.ts'
import { jsonEqual } from '../../../../core/json.ts'
import { SITE_FONTS } from '../../../../core/site-fonts.ts'
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
    <Loaded query={query} title={t('The look of the space cannot be shown')}>
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
              label={t('Use the look of the site')}
              question={t('Use the look of the site?')}
              text={t('The different settings of this space are deleted. Those of the site apply.')}
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
    <Part title={t('Look')}>
      <Loaded query={query} title={t('The look of the site cannot be shown')}>
        {(look) => (
          <LookForm
            look={look}
            save={save}
            place={place}
            unable={
              isEmpty
                ? t('The file would be kept with a space. Add a space to the site before you upload one.')
                : undefined
            }
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
      <EditForm change={save} action={t('Save the look')} onSubmit={() => save.mutate(draft)}>
        <LineField
          label={t('Title in the header')}
          value={draft.title ?? ''}
          onChange={(title) => {
            const { title: _, ...rest } = draft
            setDraft(title === '' ? rest : { ...rest, title })
          }}
          hint={t('Without it, the title of the site.')}
        />
        <ChoiceField
          label={t('Theme')}
          value={styling.theme}
          onChange={(theme) => style({ theme })}
          options={[
            ['clean', t('Clean')],
            ['muted', t('Muted')],
            ['bold', t('Bold')],
            ['gradient', t('Gradient')],
          ]}
        />
        <div className="swatches">
          <LineField
            label={t('Colour in light mode')}
            type="color"
            value={styling.primaryColor.light}
            onChange={(light) => style({ primaryColor: { ...styling.primaryColor, light } })}
          />
          <LineField
            label={t('Colour in dark mode')}
            type="color"
            value={styling.primaryColor.dark}
            onChange={(dark) => style({ primaryColor: { ...styling.primaryColor, dark } })}
          />
        </div>
        <ChoiceField
          label={t('Corners')}
          value={styling.corners}
          onChange={(corners) => style({ corners })}
          options={[
            ['straight', t('Straight')],
            ['rounded', t('Rounded')],
            ['circular', t('Round')],
          ]}
        />
        {typeof styling.font === 'string' && (
          <ChoiceField
            label={t('Font')}
            value={styling.font}
            onChange={(font) => style({ font })}
            options={[...new Set([styling.font, ...FONTS])].map((font) => [
              font,
              font.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' '),
            ])}
          />
        )}
        <ChoiceField
          label={t('Colour mode at first')}
          value={isUnsure ? '' : (themes.default ?? '')}
          onChange={(mode) =>
            setDraft({ ...draft, themes: mode === '' ? look.themes : themesWith(look, mode) })
          }
          options={[
            ...(look.themes.default === 'light'
              ? [['', t('As on the reader’s device, unless Light was chosen before')] as const]
              : []),
            ['system', t('As on the reader’s device')],
            ['light', t('Light')],
            ['dark', t('Dark')],
          ]}
        />
        {/* The API may say "light" while nothing is chosen, so that whoever changes this chooses a mode too. */}
        <CheckField
          label={t('Readers can choose light or dark')}
          isChecked={themes.toggeable ?? true}
          onChange={(toggeable) =>
            setDraft({
              ...draft,
              themes: { default: isUnsure ? 'system' : (themes.default ?? 'system'), toggeable },
            })
          }
        />
        <PictureField
          label={t('Logo')}
          site={site}
          unable={unable}
          url={header.logo?.light ?? ''}
          onChange={(light) =>
            setLogo({ light, ...(header.logo?.dark === header.logo?.light ? { dark: light } : {}) })
          }
        />
        <PictureField
          label={t('Logo in dark mode')}
          site={site}
          unable={unable}
          url={header.logo?.dark ?? ''}
          onChange={(dark) => setLogo({ dark })}
        />
        <PictureField
          label={t('Icon in the tab of the browser')}
          site={site}
          unable={unable}
          url={draft.favicon.icon?.light ?? ''}
          onChange={(url) =>
            setDraft({ ...draft, favicon: url === '' ? {} : { icon: { light: url, dark: url } } })
          }
        />
        <LineField
          label={t('Copyright line in the footer')}
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
