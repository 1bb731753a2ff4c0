/** The words of a household, in TextWorld's grammar; `TASK_PLACE` stands where a game has its own task. */
const TASK_PLACE = 'YOUR TASK';

const HOUSEHOLD_GRAMMAR = `grammar :: """
{
  "intro": [{ "rhs": "#look.feedback#\\n\\n#task#" }],
  "task": [{ "rhs": "Your task is to: ${TASK_PLACE}." }],
  "list_empty": [{ "rhs": "nothing" }],
  "list_separator": [{ "rhs": ", " }],
  "list_last_separator": [{ "rhs": ", " }],
  "contents": [
    {
      "condition": "openable(r:receptacle) & opened(r:receptacle)",
      "rhs": "In the {r.name}: [{o.name | inreceptacle(o:object, r:receptacle)}]."
    },
    { "condition": "openable(r:receptacle)", "rhs": "The {r.name} is closed." },
    { "rhs": "On the {r.name}: [{o.name | inreceptacle(o:object, r:receptacle)}]." }
  ],
  "look.feedback": [
    {
      "condition": "atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)",
      "rhs": "You stand at the [{r.name | atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)}]."
    },
    {
      "rhs": "You stand in the middle of the room. Around you: [{r.name | receptacleatlocation(r:receptacle, l:location)}]."
    }
  ],
  "inventory.feedback": [
    { "condition": "holdsany(a:agent)", "rhs": "You carry [{o.name | holds(a:agent, o:object)}]." },
    { "rhs": "You carry nothing." }
  ],
  "examineObject.feedback": [
    { "condition": "isclean(o:object) & ishot(o:object)", "rhs": "The {o.name} is clean and hot." },
    { "condition": "isclean(o:object) & iscool(o:object)", "rhs": "The {o.name} is clean and cold." },
    { "condition": "isclean(o:object)", "rhs": "The {o.name} is clean." },
    { "condition": "ishot(o:object)", "rhs": "The {o.name} is hot." },
    { "condition": "iscool(o:object)", "rhs": "The {o.name} is cold." },
    { "rhs": "The {o.name} is as it was." }
  ]
}
""";

action look { template :: "look"; feedback :: "#look.feedback#"; }
action inventory { template :: "inventory"; feedback :: "#inventory.feedback#"; }
action examineReceptacle { template :: "examine {r}"; feedback :: "#contents#"; }
action examineObject { template :: "examine {o}"; feedback :: "#examineObject.feedback#"; }
action GotoLocation { template :: "go to {r}"; feedback :: "You walk to the {r.name}. #contents#"; }
action OpenObject { template :: "open {r}"; feedback :: "You open the {r.name}. #contents#"; }
action CloseObject { template :: "close {r}"; feedback :: "You close the {r.name}."; }
action PickupObject { template :: "take {o} from {r}"; feedback :: "You take the {o.name} from the {r.name}."; }
action PutObject { template :: "move {o} to {r}"; feedback :: "You move the {o.name} to the {r.name}."; }
action CleanObject { template :: "clean {o} with {r}"; feedback :: "You clean the {o.name} in the {r.name}."; }
action HeatObject { template :: "heat {o} with {r}"; feedback :: "You heat the {o.name} on the {r.name}."; }
action CoolObject { template :: "cool {o} with {r}"; feedback :: "You cool the {o.name} in the {r.name}."; }
action ToggleObject { template :: "use {o}"; feedback :: "You light the {o.name}."; }
`;

/** The grammar of a game whose task is `goal`, in words. */
export function householdGrammar(goal: string): string {
  return HOUSEHOLD_GRAMMAR.replace(TASK_PLACE, goal);
}
