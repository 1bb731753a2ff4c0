import { compileGame } from '../alfworld';
import type { Game } from '../game';
import { LogicCache } from '../logic';

/** A kitchen's worth of rules, after ALFRED's: enough to open, take, put, light, heat and slice. */
export const SMALL_DOMAIN = `(define (domain small)
 (:requirements :adl :typing) ; comments end with the line
 (:types agent location receptacle object rtype otype)
 (:predicates
  (atLocation ?a - agent ?l - location) (receptacleAtLocation ?r - receptacle ?l - location)
  (objectAtLocation ?o - object ?l - location) (openable ?r - receptacle) (opened ?r - receptacle)
  (inReceptacle ?o - object ?r - receptacle) (checked ?x - object) (receptacleType ?r - receptacle ?t - rtype)
  (canContain ?rt - rtype ?ot - otype) (objectType ?o - object ?t - otype) (holds ?a - agent ?o - object)
  (holdsAny ?a - agent) (isClean ?o - object) (cleanable ?o - object) (isHot ?o - object) (heatable ?o - object)
  (isCool ?o - object) (coolable ?o - object) (toggleable ?o - object) (isOn ?o - object) (isToggled ?o - object)
 )
 (:functions (total-cost) - number)
 (:action look :parameters (?a - agent ?l - location) :precondition (and (atLocation ?a ?l)) :effect (and (checked ?l)))
 (:action inventory :parameters (?a - agent) :precondition () :effect (and (checked ?a)))
 (:action examineObject :parameters (?a - agent ?o - object)
  :precondition (or (exists (?l - location, ?r - receptacle) (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
   (inReceptacle ?o ?r))) (holds ?a ?o))
  :effect (and (checked ?o)))
 (:action GotoLocation :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
  :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
  :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd) (increase (total-cost) 1)))
 (:action OpenObject :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (not (opened ?r)))
  :effect (and (opened ?r) (checked ?r)))
 (:action CloseObject :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (opened ?r))
  :effect (and (not (opened ?r))))
 (:action PickupObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (not (holdsAny ?a))
   (not (toggleable ?o)) (or (not (openable ?r)) (opened ?r)))
  :effect (and (not (inReceptacle ?o ?r)) (holds ?a ?o) (holdsAny ?a) (not (objectAtLocation ?o ?l))))
 (:action PutObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
  :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
   (or (not (openable ?r)) (opened ?r)) (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
  :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))))
 (:action HeatObject :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and (heatable ?o) (or (receptacleType ?r OvenType)) (atLocation ?a ?l)
   (receptacleAtLocation ?r ?l) (holds ?a ?o))
  :effect (and (increase (total-cost) 5) (isHot ?o) (not (isCool ?o))))
 (:action ToggleObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and (toggleable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r))
  :effect (and (when (isOn ?o) (not (isOn ?o))) (when (not (isOn ?o)) (isOn ?o)) (isToggled ?o)))
)`;

const RULES = {
  intro: [{ rhs: '-= Welcome =-\n\n#look.feedback#\n\n#task#' }],
  task: [{ rhs: 'Your task is to: put a mug in shelf.' }],
  'look.feedback': [
    {
      condition: 'atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)',
      rhs: 'You face the [{r.name | atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)}]. Next to it, you see #floor#.',
    },
    { rhs: 'You are in a room. You see [{#overview(r)# | receptacleatlocation(r:receptacle, l:location)}].' },
  ],
  floor: [
    {
      condition:
        'objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)',
      rhs: "[{o.indefinite + ' ' + o.name | objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)}]",
    },
    { rhs: 'nothing' },
  ],
  'overview(r)': [{ rhs: '{r.indefinite} {r.name or r.id}' }],
  contents: [
    {
      condition: 'openable(r:receptacle) & opened(r:receptacle)',
      rhs: "The {r.name} is open. In it, you see [{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}].",
    },
    { condition: 'openable(r:receptacle)', rhs: 'The {r.name} is closed.' },
    {
      rhs: "On the {r.name}, you see [{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}].",
    },
  ],
  'examine.feedback': [
    { condition: 'ishot(o:object)', rhs: 'This is a hot {o.name}.' },
    { rhs: "There's nothing special about {o.name}." },
  ],
  'inventory.feedback': [
    {
      condition: 'holdsany(a:agent)',
      rhs: "You are carrying: [{o.indefinite + ' ' + o.name | holds(a:agent, o:object)}].",
    },
    { rhs: 'You are not carrying anything.' },
  ],
  'toggle.feedback': [
    { condition: 'ison(o:object)', rhs: '\n\tYou turn on the {o.name}.' },
    { rhs: 'You turn off the {o.name}.' },
  ],
  list_empty: [{ rhs: 'nothing' }],
  list_separator: [{ rhs: '#comma#' }],
  comma: [{ rhs: ', ' }],
  list_last_separator: [{ rhs: ', and ' }],
};

const ACTIONS = [
  ['look', 'look', '#look.feedback#'],
  ['inventory', 'inventory', '#inventory.feedback#'],
  ['examineObject', 'examine {o}', '#examine.feedback#'],
  [
    'GotoLocation',
    'go to [{r.name | receptacleatlocation(r:receptacle, lend:location)}]',
    'You arrive at {lend.name}. #contents#',
  ],
  ['OpenObject', 'open {r}', 'You open the {r.name}. #contents#'],
  ['CloseObject', 'close {r}', 'You close the {r.name}.'],
  ['PickupObject', 'take {o} from {r}', 'You pick up the {o.name} from the {r.name}.'],
  ['PutObject', 'put {o} in/on {r}', 'You put the {o.name} in/on the {r.name}.'],
  ['HeatObject', 'heat {o} with {r}', 'You heat the {o.name} using the {r.name}.'],
  ['ToggleObject', 'use {o}', '#toggle.feedback#'],
] as const;

/** A grammar for the small domain, in TextWorld's format. */
export const SMALL_GRAMMAR = [
  '# rules',
  `grammar :: """${JSON.stringify(RULES, null, 2)}""";`,
  ...ACTIONS.map(
    ([name, template, feedback]) =>
      `action ${name} {\n  template :: "${template}";\n  feedback :: "${feedback}";\n}`,
  ),
].join('\n');

/** Goals of the small game that stand for ALFRED's task types. */
const SMALL_GOALS = {
  place: `(and (exists (?r - receptacle ?o - object)
  (and (inReceptacle ?o ?r) (objectType ?o MugType) (receptacleType ?r ShelfType))))`,
  heat: `(and (exists (?r - receptacle ?o - object)
  (and (inReceptacle ?o ?r) (objectType ?o MugType) (receptacleType ?r ShelfType) (heatable ?o) (isHot ?o))))`,
  two: `(and (exists (?r - receptacle) (exists (?o1 - object) (and (objectType ?o1 MugType)
  (receptacleType ?r ShelfType) (inReceptacle ?o1 ?r) (exists (?o2 - object) (and (not (= ?o1 ?o2))
  (objectType ?o2 MugType) (receptacleType ?r ShelfType) (inReceptacle ?o2 ?r)))))))`,
  light: `(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location)
  (and (objectType ?ot DeskLampType) (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l)
  (atLocation ?a ?l) (inReceptacle ?ot ?r))) (exists (?o - object ?a - agent)
  (and (objectType ?o MugType) (holds ?a ?o))))`,
  tidy: `(forall (?r - receptacle) (or (not (openable ?r)) (opened ?r)))`,
} as const;

/** One drawer with two mugs, a shelf and a pan at one place, an oven, a lamp on a desk. */
export const SMALL_PROBLEM = `(define (problem one) (:domain small)
 (:objects agent1 - agent loc_bar_0 loc_bar_1 loc_bar_2 loc_bar_3 - location
  Drawer_bar_1 Shelf_bar_1 Shelf_bar_2 Oven_bar_1 Desk_bar_1 - receptacle
  Mug_bar_1 Mug_bar_2 Pan_bar_1 DeskLamp_bar_1 - object
  DrawerType ShelfType OvenType DeskType - rtype MugType PanType DeskLampType - otype)
 (:init (atLocation agent1 loc_bar_0) (= (total-cost) 0)
  (receptacleAtLocation Drawer_bar_1 loc_bar_1) (receptacleAtLocation Shelf_bar_1 loc_bar_2)
  (receptacleAtLocation Shelf_bar_2 loc_bar_2) (receptacleAtLocation Oven_bar_1 loc_bar_3)
  (receptacleAtLocation Desk_bar_1 loc_bar_3)
  (receptacleType Drawer_bar_1 DrawerType) (receptacleType Shelf_bar_1 ShelfType)
  (receptacleType Shelf_bar_2 ShelfType) (receptacleType Oven_bar_1 OvenType) (receptacleType Desk_bar_1 DeskType)
  (openable Drawer_bar_1)
  (objectType Mug_bar_1 MugType) (objectType Mug_bar_2 MugType) (objectType Pan_bar_1 PanType)
  (objectType DeskLamp_bar_1 DeskLampType) (toggleable DeskLamp_bar_1)
  (heatable Mug_bar_1) (heatable Mug_bar_2)
  (canContain ShelfType MugType) (canContain DrawerType MugType) (canContain DeskType MugType)
  (inReceptacle Mug_bar_1 Drawer_bar_1) (objectAtLocation Mug_bar_1 loc_bar_1)
  (inReceptacle Mug_bar_2 Drawer_bar_1) (objectAtLocation Mug_bar_2 loc_bar_1)
  (inReceptacle Pan_bar_1 Shelf_bar_1) (objectAtLocation Pan_bar_1 loc_bar_2)
  (inReceptacle DeskLamp_bar_1 Desk_bar_1) (objectAtLocation DeskLamp_bar_1 loc_bar_3))
 (:goal ${SMALL_GOALS.place}))`;

/** The text of the small game's file, with other parts where given. */
export function smallGameText(
  parts: Partial<Record<'pddl_domain' | 'grammar' | 'pddl_problem', string>> = {},
): string {
  return JSON.stringify({
    pddl_domain: SMALL_DOMAIN,
    grammar: SMALL_GRAMMAR,
    pddl_problem: SMALL_PROBLEM,
    solvable: true,
    ...parts,
  });
}

/** The small game's problem with another goal. */
export function smallProblem(goal: keyof typeof SMALL_GOALS): string {
  return SMALL_PROBLEM.replace(SMALL_GOALS.place, SMALL_GOALS[goal]);
}

/** The small game, compiled. */
export function compileSmallGame(): Game {
  return compileGame(smallGameText(), 'small', null, new LogicCache());
}
