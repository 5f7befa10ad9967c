/** Names in common use for emoji, each with its code points in hexadecimal; the first name of a code is its own. */
const NAMES = `
smile 1f604, smiley 1f603, grinning 1f600, grin 1f601, laughing 1f606, sweat_smile 1f605, rofl 1f923,
joy 1f602, slightly_smiling_face 1f642, upside_down_face 1f643, wink 1f609, blush 1f60a, innocent 1f607,
heart_eyes 1f60d, star_struck 1f929, kissing_heart 1f618, yum 1f60b, stuck_out_tongue 1f61b,
stuck_out_tongue_winking_eye 1f61c, hugs 1f917, thinking 1f914, neutral_face 1f610, expressionless 1f611,
no_mouth 1f636, smirk 1f60f, unamused 1f612, roll_eyes 1f644, relieved 1f60c, pensive 1f614,
sleepy 1f62a, sleeping 1f634, mask 1f637, dizzy_face 1f635, exploding_head 1f92f, partying_face 1f973,
sunglasses 1f60e, nerd_face 1f913, confused 1f615, worried 1f61f, open_mouth 1f62e, astonished 1f632,
flushed 1f633, cry 1f622, sob 1f62d, scream 1f631, disappointed 1f61e, sweat 1f613, weary 1f629,
tired_face 1f62b, rage 1f621, angry 1f620, skull 1f480, poop 1f4a9, ghost 1f47b, alien 1f47d,
robot 1f916, wave 1f44b, raised_hand 270b, ok_hand 1f44c, v 270c-fe0f, crossed_fingers 1f91e,
point_left 1f448, point_right 1f449, point_up_2 1f446, point_down 1f447, point_up 261d-fe0f,
thumbsup 1f44d, +1 1f44d, thumbsdown 1f44e, -1 1f44e, fist 270a, clap 1f44f, raised_hands 1f64c,
handshake 1f91d, pray 1f64f, muscle 1f4aa, writing_hand 270d-fe0f, eyes 1f440, eye 1f441-fe0f,
brain 1f9e0, baby 1f476, man 1f468, woman 1f469, older_man 1f474, family 1f46a,
busts_in_silhouette 1f465, bust_in_silhouette 1f464, speaking_head 1f5e3-fe0f, footprints 1f463,
dog 1f436, cat 1f431, mouse 1f42d, rabbit 1f430, fox_face 1f98a, bear 1f43b, panda_face 1f43c,
tiger 1f42f, lion 1f981, cow 1f42e, pig 1f437, frog 1f438, monkey_face 1f435, chicken 1f414,
penguin 1f427, bird 1f426, eagle 1f985, owl 1f989, wolf 1f43a, horse 1f434, unicorn 1f984, bee 1f41d,
bug 1f41b, butterfly 1f98b, snail 1f40c, beetle 1fab2, ant 1f41c, spider 1f577-fe0f, turtle 1f422,
snake 1f40d, octopus 1f419, crab 1f980, fish 1f41f, dolphin 1f42c, whale 1f433, shark 1f988,
elephant 1f418, cactus 1f335, evergreen_tree 1f332, deciduous_tree 1f333, palm_tree 1f334,
seedling 1f331, herb 1f33f, four_leaf_clover 1f340, maple_leaf 1f341, leaves 1f343, mushroom 1f344,
rose 1f339, sunflower 1f33b, tulip 1f337, cherry_blossom 1f338, globe_with_meridians 1f310,
earth_africa 1f30d, earth_americas 1f30e, earth_asia 1f30f, new_moon 1f311, full_moon 1f315,
crescent_moon 1f319, sunny 2600-fe0f, partly_sunny 26c5, cloud 2601-fe0f, rainbow 1f308,
snowflake 2744-fe0f, snowman 26c4, zap 26a1, fire 1f525, droplet 1f4a7, ocean 1f30a, star 2b50,
star2 1f31f, sparkles 2728, comet 2604-fe0f, apple 1f34e, green_apple 1f34f, tangerine 1f34a,
lemon 1f34b, banana 1f34c, watermelon 1f349, grapes 1f347, strawberry 1f353, cherries 1f352, peach 1f351,
pineapple 1f34d, coconut 1f965, avocado 1f951, eggplant 1f346, carrot 1f955, corn 1f33d,
hot_pepper 1f336-fe0f, bread 1f35e, cheese 1f9c0, egg 1f95a, pizza 1f355, hamburger 1f354, fries 1f35f,
hotdog 1f32d, taco 1f32e, popcorn 1f37f, sushi 1f363, ramen 1f35c, icecream 1f366, doughnut 1f369,
cookie 1f36a, birthday 1f382, cake 1f370, chocolate_bar 1f36b, candy 1f36c, honey_pot 1f36f, coffee 2615,
tea 1f375, beer 1f37a, beers 1f37b, wine_glass 1f377, cocktail 1f378, champagne 1f37e, soccer 26bd,
basketball 1f3c0, football 1f3c8, tennis 1f3be, dart 1f3af, video_game 1f3ae, game_die 1f3b2,
jigsaw 1f9e9, art 1f3a8, performing_arts 1f3ad, musical_note 1f3b5, notes 1f3b6, microphone 1f3a4,
headphones 1f3a7, guitar 1f3b8, clapper 1f3ac, trophy 1f3c6, medal_sports 1f3c5, 1st_place_medal 1f947,
2nd_place_medal 1f948, 3rd_place_medal 1f949, car 1f697, taxi 1f695, bus 1f68c, ambulance 1f691,
fire_engine 1f692, police_car 1f693, truck 1f69a, tractor 1f69c, bike 1f6b2, motorcycle 1f3cd-fe0f,
train 1f686, metro 1f687, airplane 2708-fe0f, rocket 1f680, flying_saucer 1f6f8, helicopter 1f681,
ship 1f6a2, sailboat 26f5, anchor 2693, construction 1f6a7, fuelpump 26fd, rotating_light 1f6a8,
traffic_light 1f6a5, vertical_traffic_light 1f6a6, world_map 1f5fa-fe0f, compass 1f9ed,
mountain 26f0-fe0f, house 1f3e0, office 1f3e2, factory 1f3ed, hospital 1f3e5, bank 1f3e6, school 1f3eb,
hotel 1f3e8, classical_building 1f3db-fe0f, building_construction 1f3d7-fe0f, bricks 1f9f1, tent 26fa,
checkered_flag 1f3c1, triangular_flag_on_post 1f6a9, white_flag 1f3f3-fe0f, watch 231a, iphone 1f4f1,
calling 1f4f2, computer 1f4bb, desktop_computer 1f5a5-fe0f, keyboard 2328-fe0f, printer 1f5a8-fe0f,
computer_mouse 1f5b1-fe0f, floppy_disk 1f4be, cd 1f4bf, dvd 1f4c0, camera 1f4f7, movie_camera 1f3a5,
tv 1f4fa, radio 1f4fb, telephone_receiver 1f4de, phone 260e-fe0f, battery 1f50b, electric_plug 1f50c,
bulb 1f4a1, flashlight 1f526, candle 1f56f-fe0f, money_with_wings 1f4b8, dollar 1f4b5, euro 1f4b6,
moneybag 1f4b0, credit_card 1f4b3, gem 1f48e, balance_scale 2696-fe0f, toolbox 1f9f0, wrench 1f527,
hammer 1f528, hammer_and_wrench 1f6e0-fe0f, pick 26cf-fe0f, nut_and_bolt 1f529, gear 2699-fe0f,
chains 26d3-fe0f, magnet 1f9f2, gun 1f52b, bomb 1f4a3, dagger 1f5e1-fe0f, shield 1f6e1-fe0f,
crystal_ball 1f52e, telescope 1f52d, microscope 1f52c, alembic 2697-fe0f, test_tube 1f9ea,
petri_dish 1f9eb, dna 1f9ec, pill 1f48a, syringe 1f489, thermometer 1f321-fe0f, broom 1f9f9, door 1f6aa,
bed 1f6cf-fe0f, couch_and_lamp 1f6cb-fe0f, key 1f511, old_key 1f5dd-fe0f, lock 1f512, unlock 1f513,
closed_lock_with_key 1f510, lock_with_ink_pen 1f50f, gift 1f381, balloon 1f388, tada 1f389,
confetti_ball 1f38a, email 1f4e7, envelope 2709-fe0f, incoming_envelope 1f4e8, inbox_tray 1f4e5,
outbox_tray 1f4e4, package 1f4e6, mailbox 1f4eb, postbox 1f4ee, scroll 1f4dc, page_facing_up 1f4c4,
page_with_curl 1f4c3, bookmark_tabs 1f4d1, bar_chart 1f4ca, chart_with_upwards_trend 1f4c8,
chart_with_downwards_trend 1f4c9, spiral_notepad 1f5d2-fe0f, calendar 1f4c6, date 1f4c5,
card_index 1f4c7, card_file_box 1f5c3-fe0f, file_cabinet 1f5c4-fe0f, wastebasket 1f5d1-fe0f,
clipboard 1f4cb, file_folder 1f4c1, open_file_folder 1f4c2, card_index_dividers 1f5c2-fe0f,
newspaper 1f4f0, notebook 1f4d3, ledger 1f4d2, books 1f4da, book 1f4d6, open_book 1f4d6, blue_book 1f4d8,
green_book 1f4d7, orange_book 1f4d9, closed_book 1f4d5, bookmark 1f516, label 1f3f7-fe0f, link 1f517,
paperclip 1f4ce, paperclips 1f587-fe0f, triangular_ruler 1f4d0, straight_ruler 1f4cf, pushpin 1f4cc,
round_pushpin 1f4cd, scissors 2702-fe0f, pen 1f58a-fe0f, fountain_pen 1f58b-fe0f, paintbrush 1f58c-fe0f,
crayon 1f58d-fe0f, memo 1f4dd, pencil 1f4dd, pencil2 270f-fe0f, mag 1f50d, mag_right 1f50e,
heart 2764-fe0f, orange_heart 1f9e1, yellow_heart 1f49b, green_heart 1f49a, blue_heart 1f499,
purple_heart 1f49c, black_heart 1f5a4, broken_heart 1f494, two_hearts 1f495, sparkling_heart 1f496,
100 1f4af, anger 1f4a2, boom 1f4a5, dizzy 1f4ab, sweat_drops 1f4a6, dash 1f4a8, zzz 1f4a4,
speech_balloon 1f4ac, thought_balloon 1f4ad, hourglass 231b, hourglass_flowing_sand 23f3,
alarm_clock 23f0, stopwatch 23f1-fe0f, timer_clock 23f2-fe0f, clock1 1f550, clock12 1f55b,
white_check_mark 2705, heavy_check_mark 2714-fe0f, ballot_box_with_check 2611-fe0f, x 274c,
heavy_multiplication_x 2716-fe0f, negative_squared_cross_mark 274e, heavy_plus_sign 2795,
heavy_minus_sign 2796, heavy_division_sign 2797, question 2753, grey_question 2754, exclamation 2757,
heavy_exclamation_mark 2757, grey_exclamation 2755, bangbang 203c-fe0f, interrobang 2049-fe0f,
warning 26a0-fe0f, no_entry 26d4, no_entry_sign 1f6ab, stop_sign 1f6d1, octagonal_sign 1f6d1,
radioactive 2622-fe0f, biohazard 2623-fe0f, recycle 267b-fe0f, information_source 2139-fe0f,
arrow_up 2b06-fe0f, arrow_down 2b07-fe0f, arrow_left 2b05-fe0f, arrow_right 27a1-fe0f,
arrow_upper_right 2197-fe0f, arrow_lower_right 2198-fe0f, arrow_up_down 2195-fe0f,
left_right_arrow 2194-fe0f, leftwards_arrow_with_hook 21a9-fe0f, arrow_right_hook 21aa-fe0f,
arrows_counterclockwise 1f504, arrows_clockwise 1f503, back 1f519, end 1f51a, soon 1f51c, top 1f51d,
new 1f195, free 1f193, up 1f199, cool 1f192, ok 1f197, sos 1f198, id 1f194, red_circle 1f534,
orange_circle 1f7e0, yellow_circle 1f7e1, green_circle 1f7e2, large_blue_circle 1f535,
purple_circle 1f7e3, white_circle 26aa, black_circle 26ab, red_square 1f7e5, green_square 1f7e9,
blue_square 1f7e6, white_large_square 2b1c, black_large_square 2b1b, small_blue_diamond 1f539,
small_orange_diamond 1f538, large_blue_diamond 1f537, diamond_shape_with_a_dot_inside 1f4a0,
small_red_triangle 1f53a, arrow_forward 25b6-fe0f, pause_button 23f8-fe0f, stop_button 23f9-fe0f,
record_button 23fa-fe0f, fast_forward 23e9, rewind 23ea, repeat 1f501, twisted_rightwards_arrows 1f500,
signal_strength 1f4f6, loud_sound 1f50a, mute 1f507, loudspeaker 1f4e2, mega 1f4e3, bell 1f514,
no_bell 1f515, satellite 1f4e1, artificial_satellite 1f6f0-fe0f, infinity 267e-fe0f, tm 2122-fe0f,
copyright a9-fe0f, registered ae-fe0f, zero 30-fe0f-20e3, one 31-fe0f-20e3, two 32-fe0f-20e3,
three 33-fe0f-20e3, four 34-fe0f-20e3, five 35-fe0f-20e3, six 36-fe0f-20e3, seven 37-fe0f-20e3,
eight 38-fe0f-20e3, nine 39-fe0f-20e3, keycap_ten 1f51f, hash 23-fe0f-20e3, asterisk 2a-fe0f-20e3,
peace_symbol 262e-fe0f, atom_symbol 269b-fe0f, fleur_de_lis 269c-fe0f, trident 1f531, beginner 1f530,
abc 1f524, symbols 1f523, man_technologist 1f468-200d-1f4bb, woman_technologist 1f469-200d-1f4bb,
technologist 1f9d1-200d-1f4bb, man_shrugging 1f937-200d-2642-fe0f, woman_shrugging 1f937-200d-2640-fe0f,
shrug 1f937, facepalm 1f926, ninja 1f977, superhero 1f9b8, mage 1f9d9, detective 1f575-fe0f,
construction_worker 1f477, guard 1f482, cop 1f46e, student 1f9d1-200d-1f393, scientist 1f9d1-200d-1f52c,
crown 1f451, ring 1f48d, eyeglasses 1f453, goggles 1f97d, lab_coat 1f97c, tophat 1f3a9,
school_satchel 1f392, briefcase 1f4bc, umbrella 2614, luggage 1f9f3, abacus 1f9ee, ladder 1fa9c,
screwdriver 1fa9b, wood 1fab5, coin 1fa99, bucket 1faa3, mirror 1fa9e, window 1fa9f
`

const codes = new Map<string, string>()
const names = new Map<string, string>()
for (const entry of NAMES.split(',')) {
  const [name = '', code = ''] = entry.trim().split(' ')
  codes.set(name, code)
  if (!names.has(code)) names.set(code, name)
}

/** The code of an emoji (`1f36a`, several code points joined by dashes) by its name; undefined for an unknown name. */
export function emojiCode(name: string): string | undefined {
  return codes.get(name)
}

/** The name of an emoji by its code; undefined if it has none in common use. */
export function emojiName(code: string): string | undefined {
  return names.get(code)
}

/** The characters of an emoji by its code; '' if the code is not one. */
export function emojiCharacters(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : ''
}

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/**
 * The code of the emoji that a text stands for: its code (`1f44d`, also without the `fe0f` that text may go without),
 * its characters, or its name (`:thumbsup:`). Undefined if it is no emoji, or more than one.
 */
export function emojiOf(text: string): string | undefined {
  if (/^:.+:$/.test(text)) return emojiCode(text.slice(1, -1))
  const characters = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(text) ? emojiCharacters(text) : text
  const whole = qualified(characters)
  if (!ONE_EMOJI.test(whole)) return undefined
  return [...whole].map((character) => character.codePointAt(0)?.toString(16)).join('-')
}

/** The sequence with U+FE0F behind each character that would be shown as text without it. */
function qualified(characters: string): string {
  return characters
    .replaceAll('\ufe0f', '')
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\ufe0f')
}
